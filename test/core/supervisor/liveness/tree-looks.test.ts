import { describe, expect, it } from 'vitest';
import { TreeLooks, TreeWork, workOf } from '../../../../electron/core/supervisor/liveness/tree-looks.ts';
import { stoppedProcess } from './liveness-bench.ts';

const looks = (seesTree = true) => new TreeLooks({ nowMs: 0, seesTree });

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
    const tree = looks();
    expect(tree.workSince(0, 1000)).toBe('unseen');
    tree.looked({ usedCpuMs: 0 }, 1000, 0);
    expect(tree.workSince(0, 2000)).toBe('none');
    expect(tree.workSince(0, 2001)).toBe('unseen');
  });

  it('judges a remote server without its work', () => {
    expect(looks(false).workSince(0, 60_000)).toBe('none');
  });

  it('counts a stop from the first look of those between which the process has not run, and from half a look before once it has stood still', () => {
    const tree = looks();
    tree.looked({ stoppedServer: stoppedProcess(7, 1) }, 1000, 0);
    tree.looked({ stoppedServer: stoppedProcess(7, 2) }, 2000, 0);
    expect(tree.stoppedSinceMs).toBe(2000);
    tree.looked({ stoppedServer: stoppedProcess(7, 2) }, 3000, 0);
    expect(tree.stoppedSinceMs).toBe(1500);
    tree.looked({ stoppedServer: { ...stoppedProcess(7, 2), cpuTimeMs: 10 } }, 4000, 0);
    expect(tree.stoppedSinceMs).toBe(4000);
    tree.looked({}, 5000, 0);
    expect(tree.stoppedSinceMs).toBeUndefined();
  });

  it('wants a stopped server asked when it is new, and while it stands still', () => {
    const tree = looks();
    const isAsked = (contextSwitches: number, nowMs: number) =>
      tree.looked({ stoppedServer: stoppedProcess(7, contextSwitches) }, nowMs, 0);
    expect([isAsked(1, 1000), isAsked(2, 2000), isAsked(3, 3000), isAsked(3, 4000)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('forgives a process that is stopped while questions are answered: it is not the one that answers', () => {
    const tree = looks();
    const look = (nowMs: number) => tree.looked({ stoppedServer: stoppedProcess(7) }, nowMs, 0);
    look(1000);
    tree.answered(999);
    expect(tree.stoppedSinceMs).toBe(1000);
    tree.answered(1000);
    expect(tree.stoppedSinceMs).toBeUndefined();
    expect(look(2000)).toBe(false);
    expect(tree.stoppedSinceMs).toBeUndefined();
  });
});
