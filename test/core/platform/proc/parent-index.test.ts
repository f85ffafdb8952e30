import { beforeEach, describe, expect, it } from 'vitest';
import { ParentIndex } from '../../../../electron/core/platform/proc/parent-index.ts';
import { FakeProc } from './fake-proc.ts';

describe('ParentIndex', () => {
  let files: FakeProc;
  let index: ParentIndex;

  beforeEach(() => {
    files = new FakeProc();
    for (const [pid, ppid] of [
      [1, 0],
      [2, 0],
      [10, 1],
      [11, 10],
      [12, 11],
    ] as const)
      files.processes.set(pid, { ppid });
    index = new ParentIndex(files);
  });

  const childrenOf = async (pid: number) => (await index.refresh()).get(pid) ?? [];

  it('reads every process once, and then only new ones', async () => {
    expect(await childrenOf(10)).toEqual([11]);
    expect(files.looks).toHaveLength(5);
    files.processes.set(13, { ppid: 10 });
    expect(await childrenOf(10)).toEqual([11, 13]);
    expect(files.looks.slice(5)).toEqual(['13/stat']);
  });

  it('forgets the ended, and asks their children who their parent is now', async () => {
    await index.refresh();
    files.processes.delete(11);
    files.processes.set(12, { ppid: 10 });
    expect(await childrenOf(10)).toEqual([12]);
    expect(await childrenOf(11)).toEqual([]);
  });

  it('finds the new parent of what a zombie leaves behind, once told', async () => {
    await index.refresh();
    files.processes.set(11, { ppid: 10, state: 'Z' });
    files.processes.set(12, { ppid: 10 });
    expect(await childrenOf(10)).toEqual([11]);
    index.forgetChildrenOf(11);
    expect(await childrenOf(10)).toEqual([11, 12]);
  });

  it('takes over what a reader found', async () => {
    await index.refresh();
    index.correct(12, 10);
    expect(await childrenOf(10)).toEqual([11, 12]);
  });

  it('finds a process that got the pid of another between two looks within sixty looks', async () => {
    await index.refresh();
    files.processes.set(2, { ppid: 10 });
    expect(await childrenOf(10)).toEqual([11]);
    for (let look = 0; look < 60; look += 1) await index.refresh();
    expect(await childrenOf(10)).toEqual([2, 11]);
  });

  it('leaves out a process that ends while it is looked at', async () => {
    const list = files.list('');
    files.list = () => [...(list ?? []), '99'];
    expect([...(await index.refresh()).values()].flat()).not.toContain(99);
  });
});
