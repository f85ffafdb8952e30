import { groupBy } from '../../../../shared/group-by.ts';
import { parseStat } from './parse-stat.ts';
import { type ProcFiles, Slices } from './proc-files.ts';

/** Number of samples after which all parents are read again. Until then, a reused pid may lead to a wrong parent. */
const LOOKS_PER_FULL_SCAN = 60;

/**
 * The parent of each process, kept between samples. A sample lists /proc, which is cheap, and reads only the processes that are
 * new or whose parent has ended. The `children` files in /proc are no alternative. They exist per thread: for servers with a
 * dozen threads, they would cost more than all other reads. They may also miss children while siblings end
 * (proc_tid_children(5)).
 */
export class ParentIndex {
  readonly #files: ProcFiles;
  readonly #parents = new Map<number, number>();
  #looks = 0;

  constructor(files: ProcFiles) {
    this.#files = files;
  }

  /** Updates the parents. Returns the current children of each process, in the order in which /proc lists them. */
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
    const known = [...pids].filter((pid) => this.#parents.has(pid));
    return groupBy(known, (pid) => this.#parents.get(pid)!);
  }

  /** Records a parent that another reader of the stat line found, so that the next sample uses it. */
  correct(pid: number, parentPid: number): void {
    this.#parents.set(pid, parentPid);
  }

  /**
   * Must be called when `pid` has ended, even if /proc still lists it as a zombie for a while. Its children get another parent,
   * so the next sample reads them again.
   */
  forgetChildrenOf(pid: number): void {
    for (const [child, parent] of this.#parents) if (parent === pid) this.#parents.delete(child);
  }

  clear(): void {
    this.#parents.clear();
  }

  #isSettled(pid: number, pids: ReadonlySet<number>): boolean {
    const parent = this.#parents.get(pid);
    // Pid 0 is not listed, but is a valid parent: of the first process, of kernel threads, and of processes that were started
    // from outside a container.
    return parent !== undefined && (parent === 0 || pids.has(parent));
  }

  #read(pid: number): void {
    const stat = parseStat(this.#files.read(`${pid}/stat`) ?? '');
    if (stat === undefined) this.#parents.delete(pid);
    else this.#parents.set(pid, stat.ppid);
  }
}

type FindChildren = (pid: number, threadCount: number) => readonly number[];

/**
 * Returns a function that finds the children of a process for one pass. Kernels without CONFIG_PROC_CHILDREN have no `children`
 * files; there, the children come from one scan at the beginning of the pass.
 */
export async function createChildFinder(files: ProcFiles): Promise<FindChildren> {
  if (files.read('thread-self/children') !== undefined)
    return (pid, threads) => readChildren(files, pid, threads);
  const byParent = await new ParentIndex(files).refresh();
  return (pid) => byParent.get(pid) ?? [];
}

export function listPids(files: ProcFiles): readonly number[] {
  return (files.list('') ?? []).filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
}

/** Reads the `children` files of all threads: /proc lists a child under the thread that forked it (proc_tid_children(5)). */
function readChildren(files: ProcFiles, pid: number, threadCount: number): readonly number[] {
  const threads = threadCount > 1 ? (files.list(`${pid}/task`) ?? []) : [String(pid)];
  return threads.flatMap((thread) => parsePids(files.read(`${pid}/task/${thread}/children`) ?? ''));
}

function parsePids(text: string): readonly number[] {
  const pids = text.trim();
  return pids === '' ? [] : pids.split(' ').map(Number);
}
