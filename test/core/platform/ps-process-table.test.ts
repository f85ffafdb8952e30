import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';
import { PsProcessTable, type RefineReadings } from '../../../electron/core/platform/ps-process-table.ts';
import { readUsage } from '../../../electron/core/platform/ps/pidusage-reader.ts';
import { CommandError, runCommand } from '../../../electron/core/platform/run-command.ts';
import { createFakeClock } from '../fake-clock.ts';
import { skipOn } from '../../support/skip-on.ts';
import { treeWhere } from './tree-where.ts';

const line = (pid: number, ppid: number) =>
  ` ${pid} ${ppid} 1 S    Mon Sep  1 08:00:01 2025  100 0:01.00 p${pid}`;
const STARTED = 'Mon Sep 1 08:00:01 2025';

describe('PsProcessTable', () => {
  /** Table that answers with `outputs` in turn, and fails after the last. */
  const build = (...outputs: string[]) => {
    const commands: string[] = [];
    const run = async (command: string, args: readonly string[]) => {
      commands.push([command, ...args].join(' '));
      const output = outputs.shift();
      if (output === undefined) throw new CommandError('ps failed', { exitCode: 1 });
      return output;
    };
    return { commands, run, table: new PsProcessTable({ run }) };
  };
  const listing = [line(13, 11), line(10, 1), line(11, 10), line(12, 10), line(20, 1)].join('\n');

  it('reads all trees from one listing, root first', async () => {
    const { table, commands } = build(listing);
    const trees = await table.readTrees([10, 20, 99]);
    expect([...trees].map(([root, tree]) => [root, tree.map(({ pid }) => pid)])).toEqual([
      [10, [10, 11, 12, 13]],
      [20, [20]],
    ]);
    expect(commands).toHaveLength(1);
  });

  it('reads all processes from one listing', async () => {
    const { table, commands } = build(listing);
    expect((await table.readAll()).map(({ pid, ppid }) => [pid, ppid])).toEqual([
      [13, 11],
      [10, 0],
      [11, 10],
      [12, 10],
      [20, 0],
    ]);
    expect(commands).toHaveLength(1);
  });

  it('asks nothing for no roots', async () => {
    const { table, commands } = build();
    expect((await table.readTrees([])).size).toBe(0);
    expect(commands).toEqual([]);
  });

  it('lists descendants, and identifies one process', async () => {
    const { table } = build(listing, listing, line(10, 1));
    expect(await table.listDescendants(10)).toEqual([11, 12, 13].map((pid) => ({ pid, startTime: STARTED })));
    expect(await table.identify(11)).toEqual({ pid: 11, startTime: STARTED });
    expect(await table.identify(11)).toBeUndefined();
  });

  it('takes memory and CPU time from another reader where one is given', async () => {
    const { run } = build(listing);
    const refine = async () => new Map([[20, { rssBytes: 5, cpuTimeMs: 6 }]]);
    const trees = await new PsProcessTable({ run, refine }).readTrees([20]);
    expect(trees.get(20)).toMatchObject([{ pid: 20, rssBytes: 5, cpuTimeMs: 6 }]);
  });

  it('finds processes by one whole variable of their environment', async () => {
    const environments =
      ' 10 node x.js HOME=/ RUN=abc\n 11 node RUN=abcd A=1\n 12 sh RUN=abc A=1\n 99 gone RUN=abc';
    const { table } = build(environments, listing);
    expect(await table.findByEnvironment('RUN', 'abc')).toEqual(
      [10, 12].map((pid) => ({ pid, startTime: STARTED })),
    );
    expect(await table.findByEnvironment('RUN', 'abc')).toEqual([]);
  });

  it('does not take a process for gone because ps could not run', async () => {
    const run = () => Promise.reject(new CommandError('spawn ps EAGAIN', {}));
    const table = new PsProcessTable({ run });
    await expect(table.identify(11)).rejects.toThrow('EAGAIN');
    await expect(table.findByEnvironment('RUN', 'abc')).rejects.toThrow('EAGAIN');
  });

  it.each([
    [20, 200],
    [300, 3000],
    [4000, 5000],
  ])(
    'asks for a pause of ten times what the listing took, and of five seconds at most: %d ms → %d ms',
    async (tookMs, leastIntervalMs) => {
      const clock = createFakeClock();
      const run = async () => {
        await clock.advance(tookMs);
        return listing;
      };
      const table = new PsProcessTable({ run, clock });
      expect(table.leastIntervalMs).toBe(0);
      await table.readTrees([10]);
      expect(table.leastIntervalMs).toBe(leastIntervalMs);
    },
  );

  it('reports a listing that failed', async () => {
    await expect(build().table.readTrees([1])).rejects.toThrow('ps failed');
  });
});

const refine: RefineReadings = (readings) => readUsage(readings.map(({ pid }) => pid));
const hasMemory = ({ rssBytes }: ProcessReading) => (rssBytes ?? 0) > 0;

describe('PsProcessTable on this machine', skipOn('win32', 'Windows has no ps'), () => {
  it.each([{ run: runCommand }, { run: runCommand, refine }])('reads a real tree', async (options) => {
    const child = spawn('/bin/sh', ['-c', 'sleep 1000 & echo ready; wait'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exit = once(child, 'exit');
    try {
      await once(child.stdout, 'data');
      const table = new PsProcessTable(options);
      const tree = await treeWhere(
        table,
        child.pid!,
        (found) => found.length === 2 && found.every(hasMemory),
      );
      expect(tree).toMatchObject([{ pid: child.pid, ppid: process.pid }, { ppid: child.pid }]);
      // The start time is left out because procps computes it anew each time, and sometimes a second off.
      expect(await table.identify(child.pid!)).toMatchObject({ pid: child.pid });
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
      await exit;
    }
  });

  it('says which program failed, and why', async () => {
    await expect(runCommand('/nonexistent/ps', [])).rejects.toThrow(/^\/nonexistent\/ps failed: .*ENOENT/);
    await expect(runCommand('/nonexistent/ps', [])).rejects.toMatchObject({ exitCode: undefined });
    await expect(runCommand('sh', ['-c', 'exit 3'])).rejects.toMatchObject({ exitCode: 3 });
  });

  it('identifies nobody where there is nobody', async () => {
    expect(await new PsProcessTable({ run: runCommand }).identify(2 ** 22 + 1)).toBeUndefined();
  });
});
