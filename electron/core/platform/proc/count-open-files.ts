import type { KnownProcess } from './known-processes.ts';
import type { ProcFiles } from './proc-files.ts';

/**
 * Counts the open files of a process without the placeholders (/dev/null) that replace the panel's descriptors. Placeholders are
 * counted once, at the first sample; later counts take one `stat`. Undefined where the process is gone or not readable.
 */
export function countOpenFiles(files: ProcFiles, pid: number, known: KnownProcess): number | undefined {
  const all = countAll(files, pid);
  if (all === undefined) return undefined;
  known.placeholders ??= countPlaceholders(files, pid);
  return Math.max(0, all - known.placeholders);
}

/** Counts all open files. Since Linux 6.2 the folder's size is that number, three times cheaper than a listing; before, it is 0. */
function countAll(files: ProcFiles, pid: number): number | undefined {
  const size = files.stat(`${pid}/fd`)?.size ?? 0;
  return size > 0 ? size : files.list(`${pid}/fd`)?.length;
}

function countPlaceholders(files: ProcFiles, pid: number): number {
  const numbers = files.list(`${pid}/fd`) ?? [];
  const isPlaceholder = (number: string) => files.link(`${pid}/fd/${number}`) === '/dev/null';
  return numbers.filter((number) => Number(number) > 2 && isPlaceholder(number)).length;
}
