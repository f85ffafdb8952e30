import { describe, expect, it } from 'vitest';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';
import {
  PsProcessTable,
  type RefineReadings,
  parseCpuTime,
  parsePs,
  parseDetails,
} from '../../../electron/core/platform/ps-process-table.ts';
import { readUsage } from '../../../electron/core/platform/ps/pidusage-reader.ts';
import { CommandError, runCommand } from '../../../electron/core/platform/run-command.ts';
import { createFakeClock } from '../fake-clock.ts';
import { skipOn } from '../../support/skip-on.ts';
import { startTree, treeWhere } from './tree-where.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { processTableForPlatform } from '../../../electron/core/platform/process-system.ts';

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
    const pid = await startTree('sleep 1000 & echo ready; wait');
    const table = new PsProcessTable(options);
    const tree = await treeWhere(table, pid, (found) => found.length === 2 && found.every(hasMemory));
    expect(tree).toMatchObject([{ pid, ppid: process.pid }, { ppid: pid }]);
    // The start time is left out because procps computes it anew each time, and sometimes a second off.
    expect(await table.identify(pid)).toMatchObject({ pid });
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

/** Lines as macOS prints them. */
const MACOS = `
    1     0     1 Ss   Mon Sep  1 08:00:01 2025      9712   3:14.25 /sbin/launchd
  612     1   612 S    Mon Sep  1 08:01:12 2025    120496  12:00.01 /Applications/My App.app/Contents/MacOS/My App
 4100   612  4100 S+   Tue Sep 16 17:22:09 2025     61344   0:01.53 node
 4101  4100  4100 T    Tue Sep 16 17:22:10 2025     41000   0:00.40 /opt/homebrew/bin/node
 4102  4100  4100 Z    Tue Sep 16 17:22:11 2025         0   0:00.00 (sh)
 4103  4100  4100 SX+  Tue Sep 16 17:22:11 2025      2048 101:02.50 python3.12
`;

/** Lines as procps prints them. */
const LINUX = '      7       1       7 Rs   Fri Nov  21 22:40:32 2025  1680 1-02:03:04 sh\n';

describe('parsePs', () => {
  it('reads what macOS prints, spaces in names and whole paths included', () => {
    const readings = parsePs(MACOS);
    expect(readings.map(({ pid, command }) => [pid, command])).toEqual([
      [1, 'launchd'],
      [612, 'My App'],
      [4100, 'node'],
      [4101, 'node'],
      [4103, 'python3.12'],
    ]);
    expect(readings[2]).toEqual({
      pid: 4100,
      ppid: 612,
      groupId: 4100,
      startTime: 'Tue Sep 16 17:22:09 2025',
      command: 'node',
      isStopped: false,
      isHeld: false,
      cpuTimeMs: 1530,
      reapedCpuTimeMs: 0,
      rssBytes: 61_344 * 1024,
    });
  });

  it('sees stopped and held processes, and takes a zombie for dead', () => {
    const states = new Map(parsePs(MACOS).map((reading) => [reading.pid, reading]));
    expect(states.get(4101)?.isStopped).toBe(true);
    // It is traced, and runs.
    expect(states.get(4103)).toMatchObject({ isStopped: false, isHeld: false });
    expect(parsePs(MACOS.replace(' SX+ ', ' TX+ '))).toContainEqual(
      expect.objectContaining({ pid: 4103, isStopped: false, isHeld: true }),
    );
    expect(states.has(4102)).toBe(false);
  });

  it('reads what Linux prints', () => {
    expect(parsePs(LINUX)).toMatchObject([
      { pid: 7, startTime: 'Fri Nov 21 22:40:32 2025', cpuTimeMs: 93_784_000 },
    ]);
  });

  it('leaves out lines that are something else', () => {
    expect(parsePs('ps: illegal option\n\n  PID PPID\n 1 2 3\n')).toEqual([]);
  });
});

describe('parseCpuTime', () => {
  it.each([
    ['0:00.02', 20],
    ['101:02.50', 6_062_500],
    ['00:01:05', 65_000],
    ['2-00:00:01', 172_801_000],
  ])('reads %s', (text, ms) => {
    expect(parseCpuTime(text)).toBe(ms);
  });
});

describe('details of a process', () => {
  it('are its whole command line and its start', skipOn('win32', 'Windows has no ps'), async () => {
    const table = processTableForPlatform();
    const args = ['-e', 'setInterval(() => {}, 1000)', 'some argument'];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    try {
      await once(child, 'spawn');
      const found = await table.identify(child.pid!);
      const details = (await table.describe!([found!])).get(child.pid!);
      expect(details?.commandLine).toContain('some argument');
      expect(Math.abs(Date.now() - details!.startedAtMs!)).toBeLessThan(60_000);
    } finally {
      child.kill('SIGKILL');
      table.dispose();
    }
  });

  it('are read from a listing of ps for the processes that were asked for', () => {
    const startTime = 'Mon Nov 23 10:00:00 2026';
    const output = '  10 node /opt/server.js --a  b \n 11 other\n   12 \n';
    expect(
      parseDetails(output, [
        { pid: 10, startTime },
        { pid: 12, startTime },
      ]),
    ).toEqual(
      new Map([[10, { commandLine: 'node /opt/server.js --a  b', startedAtMs: Date.parse(startTime) }]]),
    );
  });
});
