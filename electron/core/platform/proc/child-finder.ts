import { parseStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';
import { Slices } from './slices.ts';

/** Returns the pids of the children of one process, which has `threadCount` threads. */
export type FindChildren = (pid: number, threadCount: number) => readonly number[];

/**
 * Creates the child finder of one pass. Kernels without CONFIG_PROC_CHILDREN have no `children` files: there one scan of all
 * processes, grouped by parent, serves the whole pass.
 */
export async function createChildFinder(files: ProcFiles): Promise<FindChildren> {
  if (files.read('thread-self/children') !== undefined)
    return (pid, threads) => readChildren(files, pid, threads);
  const byParent = await scanParents(files);
  return (pid) => byParent.get(pid) ?? [];
}

/** Lists the pids of all processes, in the order of the folder. */
export function listPids(files: ProcFiles): readonly number[] {
  return (files.list('') ?? []).filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
}

/** Reads the children of every thread, because a child belongs to the thread that forked it (proc_tid_children(5)). */
function readChildren(files: ProcFiles, pid: number, threadCount: number): readonly number[] {
  const threads = threadCount > 1 ? (files.list(`${pid}/task`) ?? []) : [String(pid)];
  return threads.flatMap((thread) => parsePids(files.read(`${pid}/task/${thread}/children`) ?? ''));
}

function parsePids(text: string): readonly number[] {
  const pids = text.trim();
  return pids === '' ? [] : pids.split(' ').map(Number);
}

async function scanParents(files: ProcFiles): Promise<ReadonlyMap<number, readonly number[]>> {
  const byParent = new Map<number, number[]>();
  const slices = new Slices();
  for (const pid of listPids(files)) {
    const stat = parseStat(files.read(`${pid}/stat`) ?? '');
    if (stat !== undefined) byParent.set(stat.ppid, [...(byParent.get(stat.ppid) ?? []), pid]);
    if (slices.isFullAfter(1)) await slices.pause();
  }
  return byParent;
}
