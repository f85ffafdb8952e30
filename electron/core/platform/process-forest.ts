import type { ProcessReading } from './process-table.ts';

/** One listing of all processes, with lookup of trees. */
export class ProcessForest {
  readonly #byPid: ReadonlyMap<number, ProcessReading>;
  readonly #children: ReadonlyMap<number, readonly ProcessReading[]>;

  /** @param isChild reports whether the second process, which names the first as its parent, can be its child */
  constructor(
    readings: readonly ProcessReading[],
    isChild: (parent: ProcessReading, child: ProcessReading) => boolean = () => true,
  ) {
    const byPid = new Map(readings.map((reading) => [reading.pid, reading]));
    const children = new Map<number, ProcessReading[]>();
    for (const reading of readings) {
      const parent = byPid.get(reading.ppid);
      if (parent === undefined || parent === reading || !isChild(parent, reading)) continue;
      const siblings = children.get(parent.pid);
      if (siblings === undefined) children.set(parent.pid, [reading]);
      else siblings.push(reading);
    }
    this.#byPid = byPid;
    this.#children = children;
  }

  get(pid: number): ProcessReading | undefined {
    return this.#byPid.get(pid);
  }

  /** Returns the tree: root first, parents before children. Empty when there is no such process. */
  tree(rootPid: number): readonly ProcessReading[] {
    const root = this.#byPid.get(rootPid);
    // A set can grow during iteration, and visits no process twice even if the listing has cycles.
    const found = new Set(root === undefined ? [] : [root]);
    for (const reading of found) for (const child of this.#children.get(reading.pid) ?? []) found.add(child);
    return [...found];
  }

  trees(rootPids: readonly number[]): ReadonlyMap<number, readonly ProcessReading[]> {
    const all = rootPids.map((pid) => [pid, this.tree(pid)] as const);
    return new Map(all.filter(([, tree]) => tree.length > 0));
  }
}
