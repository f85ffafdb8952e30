import type { ProcFiles } from './proc-files.ts';

/**
 * Counts the open files of processes without the placeholders that stand for descriptors of ours (a child is given
 * /dev/null for each). They are counted once per process, when it is first seen; a later count is one `stat`.
 */
export class OpenFileCounter {
  readonly #files: ProcFiles;
  /** Counts by pid and start time. `#known` and `#seen` together hold what the last two passes saw. */
  #known = new Map<string, number>();
  #seen = new Map<string, number>();

  constructor(files: ProcFiles) {
    this.#files = files;
  }

  /** A pass over all processes begins: what the last one did not see is forgotten. */
  beginPass(): void {
    this.#known = this.#seen;
    this.#seen = new Map();
  }

  /** Undefined where the process is gone or not ours to look at. */
  count(pid: number, startTime: string): number | undefined {
    const all = this.#countAll(pid);
    if (all === undefined) return undefined;
    const key = `${pid} ${startTime}`;
    const placeholders = this.#known.get(key) ?? this.#seen.get(key) ?? this.#countPlaceholders(pid);
    this.#seen.set(key, placeholders);
    return Math.max(0, all - placeholders);
  }

  /** Since Linux 6.2 the size of the folder is the number of open files, three times cheaper than listing it; before, it is 0. */
  #countAll(pid: number): number | undefined {
    const size = this.#files.stat(`${pid}/fd`)?.size ?? 0;
    return size > 0 ? size : this.#files.list(`${pid}/fd`)?.length;
  }

  #countPlaceholders(pid: number): number {
    const numbers = this.#files.list(`${pid}/fd`) ?? [];
    return numbers.filter((number) => Number(number) > 2 && this.#isPlaceholder(`${pid}/fd/${number}`))
      .length;
  }

  #isPlaceholder(path: string): boolean {
    return this.#files.link(path) === '/dev/null';
  }
}
