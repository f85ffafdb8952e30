import { listPids } from './child-finder.ts';
import { parseStat } from './parse-stat.ts';
import type { ProcFiles } from './proc-files.ts';
import { Slices } from './slices.ts';

/** A pid can be given away again between two looks, unseen; such a mistake lasts this many looks at most. */
const LOOKS_PER_FULL_SCAN = 60;

/**
 * Who is whose child, kept from look to look. A look lists /proc, which is cheap, and reads only the processes that
 * are new or have lost their parent. The alternative, the `children` file of every thread, costs more than all other
 * reading together for servers with a dozen threads, and may miss children while siblings end (proc_tid_children(5)).
 */
export class ParentIndex {
  readonly #files: ProcFiles;
  readonly #parents = new Map<number, number>();
  #looks = 0;

  constructor(files: ProcFiles) {
    this.#files = files;
  }

  /** Takes a look. The children of each process, as they are now, in the order of the list. */
  async refresh(): Promise<ReadonlyMap<number, readonly number[]>> {
    if (this.#looks % LOOKS_PER_FULL_SCAN === 0) this.#parents.clear();
    this.#looks += 1;
    const pids = new Set(listPids(this.#files));
    for (const pid of this.#parents.keys()) if (!pids.has(pid)) this.#parents.delete(pid);
    const slices = new Slices();
    for (const pid of pids) {
      if (this.#isSettled(pid, pids)) continue;
      this.#read(pid);
      if (slices.isFullAfter(1)) await slices.pause();
    }
    return this.#byParent(pids);
  }

  /** What a reader found for itself; the next look starts from it. */
  correct(pid: number, parentPid: number): void {
    this.#parents.set(pid, parentPid);
  }

  /** Says that `pid` has ended, although it may stand in the list for a while as a zombie: its children have another parent. */
  forgetChildrenOf(pid: number): void {
    for (const [child, parent] of this.#parents) if (parent === pid) this.#parents.delete(child);
  }

  clear(): void {
    this.#parents.clear();
  }

  #isSettled(pid: number, pids: ReadonlySet<number>): boolean {
    const parent = this.#parents.get(pid);
    // 0 is the parent of the first process, of kernel threads, and of what was started from outside a container.
    return parent !== undefined && (parent === 0 || pids.has(parent));
  }

  #read(pid: number): void {
    const stat = parseStat(this.#files.read(`${pid}/stat`) ?? '');
    if (stat === undefined) this.#parents.delete(pid);
    else this.#parents.set(pid, stat.ppid);
  }

  #byParent(pids: Iterable<number>): ReadonlyMap<number, readonly number[]> {
    const children = new Map<number, number[]>();
    for (const pid of pids) {
      const parent = this.#parents.get(pid);
      if (parent === undefined) continue;
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [pid]);
      else siblings.push(pid);
    }
    return children;
  }
}
