import { describe, expect, it } from 'vitest';
import { TreeLooks, TreeWork, workOf } from '../../../../electron/core/supervisor/liveness/tree-looks.ts';
import { stoppedProcess } from './liveness-bench.ts';

describe('TreeWork', () => {
  /** Looks every second for `seconds`, of a tree that uses `cpuMs` in each. */
  const workFor = (work: TreeWork, fromS: number, seconds: number, cpuMs: number) => {
    for (let second = fromS + 1; second <= fromS + seconds; second += 1)
      work.looked(second * 1000, { usedCpuMs: cpuMs }, 0);
  };

  it('tells what was done since any moment, from the last look before it', () => {
    const work = new TreeWork(0);
    workFor(work, 0, 10, 1000);
    workFor(work, 10, 20, 0);
    expect(work.since(0)).toMatchObject({ overMs: 30_000, cpuMs: 10_000, looks: 30 });
    expect(work.since(10_400)).toMatchObject({ overMs: 20_000, cpuMs: 0 });
    expect(work.since(30_000)).toBeUndefined();
  });

  it('keeps few totals of a long time, and still tells nearly the same', () => {
    const work = new TreeWork(0);
    workFor(work, 0, 600, 1000);
    workFor(work, 600, 600, 0);
    const { overMs, cpuMs } = work.since(600_000)!;
    expect(overMs).toBeGreaterThanOrEqual(600_000);
    expect(cpuMs).toBeLessThanOrEqual(0.05 * overMs);
  });

  it('forgets what was before the moment that nobody asks beyond', () => {
    const work = new TreeWork(0);
    workFor(work, 0, 10, 1000);
    work.looked(11_000, { usedCpuMs: 0 }, 10_500);
    expect(work.since(0)).toMatchObject({ overMs: 1000, cpuMs: 0 });
  });

  it('calls a tenth of a core computing, and what most looks found running or waiting for a disk', () => {
    const done = {
      overMs: 10_000,
      cpuMs: 0,
      writtenBytes: 0,
      looks: 10,
      looksAtWork: 0,
      looksReachingOut: 0,
    };
    expect(workOf({ ...done, cpuMs: 1000 })).toBe('computing');
    expect(workOf({ ...done, cpuMs: 999 })).toBe('none');
    expect(workOf({ ...done, looksAtWork: 6 })).toBe('computing');
    expect(workOf({ ...done, looksAtWork: 5 })).toBe('none');
    expect(workOf({ ...done, looksReachingOut: 6 })).toBe('unseen');
    expect(workOf({ ...done, looksReachingOut: 6, cpuMs: 1000 })).toBe('computing');
  });
});

describe('TreeLooks', () => {
  it('sees no work where most of the time was not looked at', () => {
    const tree = new TreeLooks({ nowMs: 0, seesTree: true });
    expect(tree.workSince(0, 1000)).toBe('unseen');
    tree.looked({ usedCpuMs: 0 }, 1000, 0);
    expect(tree.workSince(0, 2000)).toBe('none');
    expect(tree.workSince(0, 2001)).toBe('unseen');
  });

  it('wants a stopped server asked when it is new, and while it stands still', () => {
    const tree = new TreeLooks({ nowMs: 0, seesTree: true });
    const isAsked = (contextSwitches: number, nowMs: number) =>
      tree.looked({ stoppedServer: stoppedProcess(7, contextSwitches) }, nowMs, 0);
    const asked = [isAsked(1, 1000), isAsked(2, 2000), isAsked(3, 3000), isAsked(3, 4000)];
    expect(asked).toEqual([true, false, false, true]);
  });
});
