import { isContainerMonitor } from './container-monitor.ts';
import type { ProcStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';
import { readStat } from './read-process.ts';
import { Slices } from './slices.ts';

export interface TreeWalk<T> {
  readonly files: ProcFiles;
  /** The children of one process, which has `threadCount` threads. */
  readonly findChildren: (pid: number, threadCount: number) => readonly number[];
  /** Everything wanted of a process, whose stat line was just read. Undefined when it has ended since. */
  readonly read: (pid: number, stat: ProcStat) => T | undefined;
  /** A process that was to be there has ended. */
  readonly onGone: (pid: number) => void;
  /** How many looks into /proc one process takes. */
  readonly reads: (stat: ProcStat) => number;
}

/**
 * A walker for any number of trees of one pass, which share its pauses. It goes breadth first, so that parents stand
 * before their children; a process that has ended is left out, with all that is only found through it, and so is the monitor
 * of a container, which belongs to its engine.
 */
export function walkTree<T>(walk: TreeWalk<T>): (rootPid: number) => Promise<readonly T[]> {
  const slices = new Slices();
  return async (rootPid) => {
    const found: T[] = [];
    // A set keeps the order, grows while it is walked, and meets no process twice.
    const pids = new Set([rootPid]);
    for (const pid of pids) {
      const stat = readStat(walk.files, pid);
      if (stat !== undefined && isContainerMonitor(stat)) continue;
      const item = stat && walk.read(pid, stat);
      if (stat === undefined || item === undefined) {
        walk.onGone(pid);
        continue;
      }
      found.push(item);
      for (const child of walk.findChildren(pid, stat.threadCount)) pids.add(child);
      if (slices.isFullAfter(walk.reads(stat))) await slices.pause();
    }
    return found;
  };
}
