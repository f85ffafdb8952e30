import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LinuxProcessTable, markPipeHolders } from '../../../electron/core/platform/linux-process-table.ts';
import { limitMark } from '../../../electron/core/platform/limit-mark.ts';
import { eventually } from '../support/eventually.ts';
import { FakeProc, type FakeProcess } from './proc/fake-proc.ts';
import { startTree, treeWhere, type Tree } from './tree-where.ts';
import { onlyOn } from '../../support/skip-on.ts';
import type { ProcFiles } from '../../../electron/core/platform/proc/proc-files.ts';
import { reading } from '../telemetry/reading.ts';

describe('LinuxProcessTable', () => {
  const build = (processes: Readonly<Record<number, FakeProcess>>) => {
    const files = new FakeProc();
    for (const [pid, found] of Object.entries(processes)) files.processes.set(Number(pid), found);
    const readEnvironment = async (pid: number) => files.processes.get(pid)?.environment;
    return { files, table: new LinuxProcessTable({ files, readEnvironment, uid: 1000 }) };
  };
  const pidsOf = (found: readonly { pid: number }[] | undefined) => found?.map(({ pid }) => pid);

  it('does not count placeholders among the open files, also after more were opened', async () => {
    const { files, table } = build({ 10: { ppid: 1, openFiles: 45, placeholders: 40 } });
    const openFiles = async () => (await table.readTrees([10])).get(10)?.[0]?.openFiles;
    expect(await openFiles()).toBe(5);
    files.processes.set(10, { ppid: 1, openFiles: 48, placeholders: 41, ticks: 11 });
    expect(await openFiles()).toBe(8);
  });

  it.each([true, false])('reads trees root first (children files: %s)', async (hasChildren) => {
    const { files, table } = build({
      10: { ppid: 1 },
      13: { ppid: 11 },
      11: { ppid: 10 },
      12: { ppid: 10 },
      20: { ppid: 1 },
      30: { ppid: 1 },
    });
    files.hasChildren = hasChildren;
    const trees = await table.readTrees([10, 20, 99]);
    expect([...trees.keys()]).toEqual([10, 20]);
    expect(pidsOf(trees.get(10))).toEqual([10, 11, 12, 13]);
    expect(pidsOf(await table.listDescendants(10))).toEqual([11, 12, 13]);
  });

  it('reads all processes of this user, those below no other included', async () => {
    const { table } = build({ 10: { ppid: 0 }, 11: { ppid: 10 }, 12: { ppid: 11, uid: 0 }, 20: { ppid: 9 } });
    expect((await table.readAll()).map(({ pid, ppid }) => [pid, ppid])).toEqual([
      [10, 0],
      [11, 10],
      [20, 9],
    ]);
  });

  it('reads every figure of a process', async () => {
    const { table } = build({ 10: { ppid: 1, openFiles: 5 } });
    expect((await table.readTrees([10])).get(10)).toEqual([
      {
        pid: 10,
        startTime: '100',
        ppid: 1,
        groupId: 7,
        command: 'p10',
        isStopped: false,
        isHeld: false,
        cpuTimeMs: 150,
        reapedCpuTimeMs: 30,
        rssBytes: 12_288,
        privateBytes: 8192,
        sharedBytes: 4096,
        openFiles: 5,
      },
    ]);
  });

  describe('of a process that has not run since the last look', () => {
    const LOOKS_PER_READING = 5;
    const looksAt = (files: FakeProc, file: string) => files.looks.filter((path) => path === file).length;

    it('reads the stat line and what it has written each time, and all else once in five looks', async () => {
      const { files, table } = build({ 10: { ppid: 1, writtenBytes: 7 } });
      await table.readTrees([10]);
      files.looks.length = 0;
      for (let look = 0; look < 2 * LOOKS_PER_READING; look += 1) await table.readTrees([10]);
      expect(looksAt(files, '10/stat')).toBeGreaterThanOrEqual(2 * LOOKS_PER_READING);
      expect(looksAt(files, '10/io')).toBe(2 * LOOKS_PER_READING);
      expect(looksAt(files, '10/status')).toBe(2);
      expect(looksAt(files, '10/fd')).toBe(2);
    });

    it('tells what it writes at once, and files that it opens within five looks', async () => {
      const { files, table } = build({ 10: { ppid: 1, writtenBytes: 7, openFiles: 5 } });
      const reading = async () => (await table.readTrees([10])).get(10)![0]!;
      await reading();
      files.processes.set(10, { ppid: 1, writtenBytes: 9, openFiles: 6 });
      expect((await reading()).writtenBytes).toBe(9);
      for (let look = 2; look < LOOKS_PER_READING; look += 1) await reading();
      expect(await reading()).toMatchObject({ writtenBytes: 9, openFiles: 6 });
    });
  });

  it('reads a stopped process each time, because it may have run between two looks and have used no time', async () => {
    const { files, table } = build({ 10: { ppid: 1, state: 'T', contextSwitches: 4 } });
    const switches = async () => (await table.readTrees([10])).get(10)![0]!.contextSwitches;
    expect([await switches(), await switches()]).toEqual([4, 4]);
    files.processes.set(10, { ppid: 1, state: 'T', contextSwitches: 6 });
    expect(await switches()).toBe(6);
    files.processes.set(10, { ppid: 1 });
    expect(await switches()).toBeUndefined();
  });

  it.each([
    ['it has used processor time', { ticks: 11 }, {}],
    ['it has another state', { state: 'T' }, { isStopped: true }],
  ])('reads all of a process again as soon as %s', async (_what, changed, more) => {
    const { files, table } = build({ 10: { ppid: 1, openFiles: 5 } });
    await table.readTrees([10]);
    files.processes.set(10, { ppid: 1, rssKiB: 24, openFiles: 6, ...changed });
    expect((await table.readTrees([10])).get(10)).toMatchObject([
      { rssBytes: 24 * 1024, privateBytes: 20 * 1024, openFiles: 6, ...more },
    ]);
  });

  it('does not take a new process of the same pid for the one that it read before', async () => {
    const { files, table } = build({ 10: { ppid: 1 } });
    await table.readTrees([10]);
    files.processes.set(10, { ppid: 1, rssKiB: 24, startTicks: 9 });
    expect((await table.readTrees([10])).get(10)).toMatchObject([{ startTime: '9', rssBytes: 24 * 1024 }]);
  });

  it('calls a process by its program where its own name says nothing, as with Node.js', async () => {
    const command = 'MainThread';
    const { table } = build({
      10: { ppid: 1, command, program: '/opt/my tools/node' },
      11: { ppid: 10, command, program: '/opt/bun (deleted)' },
      12: { ppid: 10, command },
    });
    const tree = (await table.readTrees([10])).get(10);
    expect(tree?.map((reading) => reading.command)).toEqual(['node', 'bun', 'MainThread']);
  });

  it('finds the children that other threads than the first have forked', async () => {
    const { table } = build({
      10: { ppid: 1, threads: [10, 15, 16] },
      11: { ppid: 10 },
      12: { ppid: 10 },
      13: { ppid: 10 },
    });
    expect(pidsOf((await table.readTrees([10])).get(10))).toEqual([10, 11, 12, 13]);
    expect(pidsOf(await table.listDescendants(10))).toEqual([11, 12, 13]);
  });

  it('counts open files by listing on kernels whose folder has no size', async () => {
    const { files, table } = build({ 10: { ppid: 1, openFiles: 40 } });
    files.fdSizes = false;
    expect((await table.readTrees([10])).get(10)?.[0]?.openFiles).toBe(40);
  });

  it('takes a zombie for dead, as root and inside a tree', async () => {
    const { table } = build({ 10: { ppid: 1, state: 'Z' }, 20: { ppid: 1 }, 21: { ppid: 20, state: 'Z' } });
    expect(pidsOf((await table.readTrees([10, 20])).get(20))).toEqual([20]);
    expect((await table.readTrees([10])).size).toBe(0);
    expect(await table.identify(10)).toBeUndefined();
    expect(table.identifySync(20)).toEqual({ pid: 20, startTime: '200', groupId: 7 });
  });

  it('lets the loop go at least every 50 processes', async () => {
    const children = Object.fromEntries(
      Array.from({ length: 199 }, (_, index) => [100 + index, { ppid: 10 }]),
    );
    const { table } = build({ 10: { ppid: 1 }, ...children });
    let turns = 0;
    let isDone = false;
    const pass = table.readTrees([10]).then((trees) => {
      isDone = true;
      return trees;
    });
    await eventually(
      () => isDone,
      () => (turns += 1),
    );
    expect((await pass).get(10)).toHaveLength(200);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('finds processes of this user by one whole variable of their environment', async () => {
    const { table } = build({
      10: { ppid: 1, environment: 'A=1\0RUN=abc\0B=2\0' },
      11: { ppid: 1, environment: 'RUN=abcd\0' },
      12: { ppid: 1, environment: 'MY_RUN=abc\0' },
      13: { ppid: 1, environment: 'RUN=abc\0', uid: 0 },
      14: { ppid: 1 },
      15: { ppid: 1, environment: 'RUN=abc', state: 'Z' },
    });
    expect(await table.findByEnvironment('RUN', 'abc')).toEqual([{ pid: 10, startTime: '100', groupId: 7 }]);
  });

  it('finds processes of this user by the limit that stands for the value, whatever their environment', async () => {
    const { table } = build({
      10: { ppid: 1, realtimeLimit: limitMark('abc'), environment: '' },
      11: { ppid: 1, realtimeLimit: limitMark('abcd'), environment: '' },
      12: { ppid: 1, realtimeLimit: limitMark('abc'), uid: 0 },
      13: { ppid: 1, realtimeLimit: 'unlimited' },
      14: { ppid: 1, realtimeLimit: limitMark('abc'), state: 'Z' },
    });
    expect(await table.findByEnvironment('RUN', 'abc')).toEqual([{ pid: 10, startTime: '100', groupId: 7 }]);
  });

  it('takes the monitor of a container, and what is below it, for none of a tree or a run', async () => {
    const mark = { realtimeLimit: limitMark('abc') };
    const { table } = build({
      10: { ppid: 1, ...mark },
      11: { ppid: 10, command: 'conmon', ...mark },
      12: { ppid: 11, ...mark },
      13: { ppid: 12, ...mark },
      // The engine's monitor has left the tree, as it does in earnest.
      20: { ppid: 1, command: 'conmon', ...mark },
      21: { ppid: 20, ...mark },
    });
    expect(pidsOf((await table.readTrees([10, 20])).get(10))).toEqual([10]);
    expect(pidsOf(await table.listDescendants(10))).toEqual([]);
    expect(pidsOf(await table.findByEnvironment('RUN', 'abc'))).toEqual([10]);
  });

  it('finds the processes of a run also where the panel itself is in a container', async () => {
    const mark = { realtimeLimit: limitMark('abc') };
    const { table } = build({
      5: { ppid: 1, command: 'conmon' },
      6: { ppid: 5 },
      10: { ppid: 6, ...mark },
      11: { ppid: 5, ...mark },
    });
    expect(pidsOf(await table.findByEnvironment('RUN', 'abc'))).toEqual([10, 11]);
  });
});

describe('LinuxProcessTable on this machine', onlyOn('linux', 'it reads /proc'), () => {
  const table = new LinuxProcessTable();
  const start = () => startTree('sleep 1000 & (sleep 1000; true) & echo ready; wait');
  const namesOf = (tree: Tree) => tree.map(({ command }) => command).sort();

  it('sees a tree with its memory, files, groups and names', async () => {
    const pid = await start();
    const tree = await treeWhere(table, pid, (found) => namesOf(found).join() === 'sh,sh,sleep,sleep');
    expect(tree[0]).toMatchObject({
      pid,
      ppid: process.pid,
      groupId: pid,
      isStopped: false,
      isHeld: false,
    });
    expect(tree[0]?.openFiles).toBe(readdirSync(`/proc/${pid}/fd`).length);
    expect(tree.every(({ groupId, privateBytes }) => groupId === pid && (privateBytes ?? 0) > 0)).toBe(true);
    expect(await table.listDescendants(pid)).toHaveLength(3);
  });

  it('sees that a signal has stopped a process', async () => {
    const pid = await start();
    process.kill(pid, 'SIGSTOP');
    await treeWhere(table, pid, ([root]) => root?.isStopped === true);
    process.kill(pid, 'SIGCONT');
    await treeWhere(table, pid, ([root]) => root?.isStopped === false);
  });
});

function linksOnly(links: Record<string, string>): ProcFiles {
  const nothing = () => undefined;
  return { read: nothing, list: nothing, stat: nothing, link: (path) => links[path] };
}

describe('markPipeHolders', () => {
  const stopped = reading({ pid: 10, isStopped: true });
  const links = {
    '10/fd/0': 'socket:[1]',
    '10/fd/1': 'socket:[2]',
    '11/fd/0': 'socket:[1]',
    '11/fd/1': '/dev/null',
    '12/fd/0': '/dev/null',
    '12/fd/1': 'socket:[9]',
  };

  it('tells who shares the input or output of the root', () => {
    const tree = [stopped, reading({ pid: 11 }), reading({ pid: 12 })];
    expect(markPipeHolders(linksOnly(links), tree).map(({ holdsPipes }) => holdsPipes)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('does not look while nobody is stopped, nor say anything where the root cannot be looked at', () => {
    const calm = [reading({ pid: 10 }), reading({ pid: 11 })];
    expect(markPipeHolders(linksOnly(links), calm)).toBe(calm);
    const hidden = [stopped];
    expect(markPipeHolders(linksOnly({}), hidden)).toBe(hidden);
  });
});
