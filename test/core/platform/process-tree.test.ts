import { describe, expect, it } from 'vitest';
import type { ProcessIdentity, ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { ProcessTree } from '../../../electron/core/platform/process-tree.ts';
import { createFakeClock } from '../fake-clock.ts';

/** A process table that the test fills, and a record of who was signalled. */
function bench() {
  const processes = new Map<number, ProcessIdentity>();
  const children = new Map<number, number[]>();
  const marked = new Set<number>();
  const signals: string[] = [];
  const put = (pid: number, startTime: string, groupId: number, parent?: number) => {
    processes.set(pid, { pid, startTime, groupId });
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  };
  const below = (pid: number): ProcessIdentity[] =>
    (children.get(pid) ?? []).flatMap((child) => {
      const found = processes.get(child);
      return found ? [found, ...below(child)] : [];
    });
  const table: ProcessTable = {
    readTrees: async () => new Map(),
    identify: async (pid) => processes.get(pid),
    identifySync: (pid) => processes.get(pid),
    listDescendants: async (pid) => below(pid),
    findByEnvironment: async () => [...marked].flatMap((pid) => processes.get(pid) ?? []),
    dispose: () => undefined,
  };
  const signaller = {
    signalGroup: async (pid: number, signal: string) => void signals.push(`group ${pid} ${signal}`),
    signalProcess: async (pid: number, signal: string) => void signals.push(`${pid} ${signal}`),
  };
  put(100, 'a', 100);
  const tree = new ProcessTree({ table, signaller, clock: createFakeClock() }, 100, 'marker');
  return { processes, marked, signals, put, tree };
}

describe('ProcessTree', () => {
  it('signals the group while its leader lives', async () => {
    const { tree, signals } = bench();
    await tree.signalGroup('SIGTERM');
    expect(signals).toEqual(['group 100 SIGTERM']);
  });

  it('signals the group of a dead leader while a recorded member lives in it', async () => {
    const { tree, signals, put, processes } = bench();
    put(101, 'b', 100, 100);
    await tree.record();
    processes.delete(100);
    await tree.signalGroup('SIGTERM');
    expect(signals).toEqual(['group 100 SIGTERM']);
  });

  it('never signals a group whose number may have gone to strangers', async () => {
    const { tree, signals, put, processes } = bench();
    put(101, 'b', 101, 100);
    await tree.record();
    processes.delete(100);
    put(100, 'stranger', 100);
    await tree.signalGroup('SIGKILL');
    expect(signals).toEqual([]);
    await tree.signalSurvivors('SIGKILL');
    expect(signals).toEqual(['101 SIGKILL']);
  });

  it('never signals a pid that was given to another process', async () => {
    const { tree, signals, put } = bench();
    put(101, 'b', 100, 100);
    await tree.record();
    put(101, 'stranger', 55);
    await tree.signalSurvivors('SIGKILL');
    expect(signals).toEqual(['100 SIGKILL']);
  });

  it('finds an escapee by the marker alone', async () => {
    const { tree, signals, put, marked, processes } = bench();
    put(200, 'e', 200);
    marked.add(200);
    processes.delete(100);
    expect((await tree.survivors()).map(({ pid }) => pid)).toEqual([200]);
    await tree.signalSurvivors('SIGTERM');
    expect(signals).toEqual(['200 SIGTERM']);
  });

  it('forgets short-lived members that are neither seen nor alive, and keeps escapees', async () => {
    const { tree, put, processes } = bench();
    for (let pid = 300; pid < 400; pid += 1) {
      put(pid, 'x', 100, 100);
      tree.remember([
        { pid: 100, startTime: 'a' },
        { pid, startTime: 'x' },
      ]);
      if (pid !== 350) processes.delete(pid);
    }
    expect(tree.members.map(({ pid }) => pid)).toEqual(expect.arrayContaining([100, 350]));
    expect(tree.members.length).toBeLessThanOrEqual(4);
  });
});
