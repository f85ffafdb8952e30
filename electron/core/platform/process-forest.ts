import { groupBy } from '../../../shared/group-by.ts';
import type { ProcessIdentity, ProcessReading } from './process-table.ts';
import { nextTurn } from '../next-turn.ts';

/** The process trees in one listing of all processes. */
export class ProcessForest<T extends Pick<ProcessReading, 'pid' | 'ppid'> = ProcessReading> {
  readonly #byPid: ReadonlyMap<number, T>;
  readonly #children: ReadonlyMap<number, readonly T[]>;

  /**
   * @param isChild returns whether `child`, whose parent pid is that of `parent`, can really be its child; the pid may have
   * been reused
   */
  constructor(readings: readonly T[], isChild: (parent: T, child: T) => boolean = () => true) {
    const byPid = new Map(readings.map((reading) => [reading.pid, reading]));
    const children = readings.filter((reading) => {
      const parent = byPid.get(reading.ppid);
      return parent !== undefined && parent !== reading && isChild(parent, reading);
    });
    this.#byPid = byPid;
    this.#children = groupBy(children, ({ ppid }) => ppid);
  }

  get(pid: number): T | undefined {
    return this.#byPid.get(pid);
  }

  /** Returns all processes. The parent pid is 0 if the parent has ended, even if another process has that pid now. */
  all(): readonly T[] {
    const children = new Set([...this.#children.values()].flat());
    return [...this.#byPid.values()].map((one) => (children.has(one) ? one : { ...one, ppid: 0 }));
  }

  /** Returns the parents of a process, nearest first. */
  above(pid: number): readonly T[] {
    const found = new Set<T>();
    for (let at = this.get(pid); at !== undefined && !found.has(at); at = this.get(at.ppid)) found.add(at);
    return [...found].slice(1);
  }

  /** Returns a process and all its descendants, parents before children. Empty if there is no such process. */
  tree(rootPid: number): readonly T[] {
    const root = this.#byPid.get(rootPid);
    // A set can grow during iteration, and visits no process twice even if the listing has cycles.
    const found = new Set(root === undefined ? [] : [root]);
    for (const reading of found) for (const child of this.#children.get(reading.pid) ?? []) found.add(child);
    return [...found];
  }

  trees(rootPids: readonly number[]): ReadonlyMap<number, readonly T[]> {
    const all = rootPids.map((pid) => [pid, this.tree(pid)] as const);
    return new Map(all.filter(([, tree]) => tree.length > 0));
  }
}

/**
 * Answers queries for process trees from listings of all processes. Callers share a listing if they make their request before
 * it begins.
 */
export abstract class ListedProcesses {
  protected readonly processes = new SharedLook(() => this.list());

  protected abstract list(): Promise<ProcessForest>;

  async readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    return rootPids.length === 0 ? new Map() : (await this.processes.ask()).trees(rootPids);
  }

  async readAll(): Promise<readonly ProcessReading[]> {
    return (await this.processes.ask()).all();
  }

  async identify(pid: number): Promise<ProcessIdentity | undefined> {
    const found = (await this.processes.ask()).get(pid);
    return found && identityOf(found);
  }

  async listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    return (await this.processes.ask()).tree(pid).slice(1).map(identityOf);
  }
}

export const identityOf = ({ pid, startTime }: ProcessReading): ProcessIdentity => ({ pid, startTime });

/**
 * Runs one expensive scan at a time. A caller that asks during a scan gets the result of the next scan, because the running
 * scan may have read its data before the call.
 */
export class SharedLook<T> {
  readonly #take: () => Promise<T>;
  /** The scan that will begin next; undefined if none is requested. */
  #coming: Promise<T> | undefined;
  /** Settles when the running scan has ended; never rejects. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(take: () => Promise<T>) {
    this.#take = take;
  }

  /** Returns the result of the next scan. @throws the scan's error, to every caller that shares the scan */
  ask(): Promise<T> {
    return (this.#coming ??= this.#begin());
  }

  async #begin(): Promise<T> {
    await this.#running;
    // Waits one turn of the event loop, so that callers that ask at the same moment share the scan, for example when all
    // servers quit together.
    await nextTurn();
    this.#coming = undefined;
    const look = this.#take();
    this.#running = look.then(nothing, nothing);
    return look;
  }
}

const nothing = () => undefined;
