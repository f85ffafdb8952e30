import { describe, expect, it } from 'vitest';
import type { ProcessIdentity, ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { ProcessTree } from '../../../electron/core/platform/process-tree.ts';
import { createFakeClock } from '../fake-clock.ts';

/** Process table that the test fills, and a record of who was signalled. */
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
    signalGroup: async () => false,
    signalProcess: async (pid: number, signal: string) => signals.push(`${pid} ${signal}`) > 0,
  };
  put(100, 'a', 100);
  const tree = new ProcessTree({ table, signaller, clock: createFakeClock() }, { pid: 100 }, 'marker');
  return { processes, marked, signals, put, table, tree };
}

describe('ProcessTree', () => {
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

  it('forgets nobody whom it cannot look up', async () => {
    const { tree, put, table } = bench();
    put(101, 'b', 101, 100);
    await tree.record();
    const identifySync = table.identifySync!.bind(table);
    table.identifySync = () => {
      throw new Error('EMFILE: too many open files');
    };
    tree.remember([{ pid: 100, startTime: 'a' }]);
    table.identifySync = identifySync;
    expect((await tree.survivors()).map(({ pid }) => pid)).toEqual([100, 101]);
    expect(tree.lookError).toBeUndefined();
  });
});
