import { isContainerMonitor } from './container-monitor.ts';
import type { ProcStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';
import { readStat } from './read-process.ts';
import { Slices } from './slices.ts';

export interface TreeWalk<T> {
  readonly files: ProcFiles;
  /** Returns the children of one process, which has `threadCount` threads. */
  readonly findChildren: (pid: number, threadCount: number) => readonly number[];
  /** Reads the wanted data of a process, whose stat line was just read. Undefined when it has ended since. */
  readonly read: (pid: number, stat: ProcStat) => T | undefined;
  /** Called for an expected process that has ended. */
  readonly onGone: (pid: number) => void;
  /** Number of reads of /proc for one process. */
  readonly reads: (stat: ProcStat) => number;
}

/**
 * Returns a walker for the trees of one pass, which share its pauses. It goes breadth first, so that parents precede their
 * children. It leaves out ended processes with what only they lead to, and monitors of containers, which their engine manages.
 */
export function walkTree<T>(walk: TreeWalk<T>): (rootPid: number) => Promise<readonly T[]> {
  const slices = new Slices();
  return async (rootPid) => {
    const found: T[] = [];
    // A set keeps the order, can grow during iteration, and visits no process twice.
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
