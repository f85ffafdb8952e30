import { groupBy } from '../../../shared/group-by.ts';
import type { ProcessReading } from './process-table.ts';

/** One listing of all processes, with lookup of trees. */
export class ProcessForest<T extends ProcessReading = ProcessReading> {
  readonly #byPid: ReadonlyMap<number, T>;
  readonly #children: ReadonlyMap<number, readonly T[]>;

  /** @param isChild reports whether the second process, which names the first as its parent, can be its child */
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

  /** Returns every process, with parent 0 where its parent has ended, even if another process has that pid now. */
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

  /** Returns the tree: root first, parents before children. Empty when there is no such process. */
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
