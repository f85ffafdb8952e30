import { describe, expect, it } from 'vitest';
import { ProcessTree } from '../../../electron/core/platform/process-tree.ts';
import { createFakeClock } from '../fake-clock.ts';
import { FakeProcesses } from '../supervisor/fake-processes.ts';

function bench() {
  const machine = new FakeProcesses();
  const root = machine.add({ pid: 100, ppid: 1, groupId: 100 });
  const deps = { table: machine, signaller: machine, clock: createFakeClock() };
  const signals = () => machine.sent.map(({ process, signal }) => `${process.pid} ${signal}`);
  return { machine, root, signals, tree: new ProcessTree(deps, root, 'marker') };
}

describe('ProcessTree', () => {
  it('never signals a pid that was given to another process', async () => {
    const { machine, signals, tree } = bench();
    machine.add({ pid: 101, ppid: 100, groupId: 100 });
    await tree.record();
    machine.end(101);
    machine.add({ pid: 101, ppid: 1, groupId: 55 });
    await tree.signalSurvivors('SIGKILL');
    expect(signals()).toEqual(['100 SIGKILL']);
  });

  it('finds an escapee by the marker alone', async () => {
    const { machine, signals, tree } = bench();
    machine.add({ pid: 200, ppid: 1, groupId: 200, marker: 'marker' });
    machine.end(100);
    expect((await tree.survivors()).map(({ pid }) => pid)).toEqual([200]);
    await tree.signalSurvivors('SIGTERM');
    expect(signals()).toEqual(['200 SIGTERM']);
  });

  it('forgets short-lived members that are neither seen nor alive, and keeps escapees', () => {
    const { machine, root, tree } = bench();
    for (let pid = 300; pid < 400; pid += 1) {
      tree.remember([root, machine.add({ pid, ppid: 100, groupId: 100 })]);
      if (pid !== 350) machine.end(pid);
    }
    expect(tree.members.map(({ pid }) => pid)).toEqual(expect.arrayContaining([100, 350]));
    expect(tree.members.length).toBeLessThanOrEqual(4);
  });

  it('forgets nobody whom it cannot look up', async () => {
    const { machine, root, tree } = bench();
    machine.add({ pid: 101, ppid: 100, groupId: 101 });
    await tree.record();
    const identifySync = machine.identifySync.bind(machine);
    machine.identifySync = () => {
      throw new Error('EMFILE: too many open files');
    };
    tree.remember([root]);
    machine.identifySync = identifySync;
    expect((await tree.survivors()).map(({ pid }) => pid)).toEqual([100, 101]);
    expect(tree.lookError).toBeUndefined();
  });
});
