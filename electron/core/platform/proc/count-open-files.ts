import type { KnownProcess } from './known-processes.ts';
import type { ProcFiles } from './proc-files.ts';

/**
 * The open files of a process without the placeholders that stand for descriptors of ours (a child is given /dev/null for
 * each). Those are counted once, when it is first seen; a later count is one `stat`. Undefined where the process is gone or
 * not ours to look at.
 */
export function countOpenFiles(files: ProcFiles, pid: number, known: KnownProcess): number | undefined {
  const all = countAll(files, pid);
  if (all === undefined) return undefined;
  known.placeholders ??= countPlaceholders(files, pid);
  return Math.max(0, all - known.placeholders);
}

/** Since Linux 6.2 the size of the folder is the number of open files, three times cheaper than listing it; before, it is 0. */
function countAll(files: ProcFiles, pid: number): number | undefined {
  const size = files.stat(`${pid}/fd`)?.size ?? 0;
  return size > 0 ? size : files.list(`${pid}/fd`)?.length;
}

function countPlaceholders(files: ProcFiles, pid: number): number {
  const numbers = files.list(`${pid}/fd`) ?? [];
  const isPlaceholder = (number: string) => files.link(`${pid}/fd/${number}`) === '/dev/null';
  return numbers.filter((number) => Number(number) > 2 && isPlaceholder(number)).length;
}
