import type { Disposable } from '../clock.ts';
import { SerialQueue } from '../serial-queue.ts';
import { ProcessForest } from '../platform/process-forest.ts';
import type { ProcessIdentity, ProcessReading, ProcessTable } from '../platform/process-table.ts';
import { type EndProcessDeps, endProcesses } from '../platform/signals.ts';

interface EndTreeDeps extends EndProcessDeps {
  readonly table: EndProcessDeps['table'] & Pick<ProcessTable, 'readAll'>;
}

interface LeftBehindOptions extends EndTreeDeps {
  readonly scan: ScanForLeft;
  /** Returns true if the user has enabled the search; while it is false, there are no scans. */
  readonly isOn: () => boolean;
  /** Ids of the process trees that an earlier app run has reported. */
  readonly reported?: readonly string[];
  readonly onFound: (trees: readonly FoundTree[]) => void;
  readonly onProblem: (error: unknown) => void;
}

export interface EndOutcome {
  /** Ids of the process trees that have ended, except for the processes that were spared. */
  readonly ended: readonly string[];
  /** Pids of daemons in these trees, which were spared because other programs may use them. */
  readonly spared: readonly number[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Milliseconds between two scans that must both find a process tree; a living client may take over its server in between. */
const AGREE_MS = 30_000;
const PERIOD_MS = 5 * 60_000;

/** Returns the id of a process tree, which is the pid and start time of its root. */
export const treeId = ({ tree: [root] }: FoundTree): string => (root === undefined ? '' : processKey(root));

/** Repeatedly scans for servers whose client ended without ending them, and ends them on request. The owner must dispose. */
export class LeftBehind implements Disposable {
  readonly #options: LeftBehindOptions;
  readonly #queue = new SerialQueue();
  /** For each process tree, by id: the time of the first of the uninterrupted scans that have found it. */
  readonly #since = new Map<string, number>();
  readonly #reported: Set<string>;
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(options: LeftBehindOptions) {
    this.#options = options;
    this.#reported = new Set(options.reported);
  }

  /** Scans now, and then every five minutes. */
  start(): void {
    this.#plan(0);
  }

  /** Scans, and returns the process trees that every scan has found for at least 30 seconds. */
  find(): Promise<readonly FoundTree[]> {
    return this.#queue.run(() => this.#find());
  }

  /** Scans, and ends the process trees with these ids. A tree that the scan no longer finds is not ended. */
  end(ids: readonly string[]): Promise<EndOutcome> {
    return this.#queue.run(async () => {
      const found = new Map((await this.#find()).map((tree) => [treeId(tree), tree]));
      const outcomes = await Promise.all([...new Set(ids)].map((id) => this.#end(id, found.get(id))));
      return {
        ended: outcomes.flatMap(({ id, reason }) => (reason === undefined ? [id] : [])),
        spared: outcomes.flatMap(({ spared = [] }) => spared),
        refused: outcomes.flatMap(({ id, reason }) => (reason === undefined ? [] : [{ id, reason }])),
      };
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  async #end(
    id: string,
    found: FoundTree | undefined,
  ): Promise<{ readonly id: string; readonly reason?: string; readonly spared?: readonly number[] }> {
    if (found === undefined) return { id, reason: this.#whyNot(id) };
    if (!found.isCertain) return { id, reason: 'This system does not say whether it is still in use.' };
    const left = await endTree(this.#options, found);
    if (left.length === 0) return { id, spared: found.daemons };
    const pids = left.map(({ pid }) => pid).join(', ');
    return { id, reason: `These processes did not end: ${pids}. They may be blocked in the system.` };
  }

  #whyNot(id: string): string {
    const [pid = '', startTime] = id.split(':');
    const now = this.#options.table.identifySync?.(Number(pid));
    return now !== undefined && now.startTime === startTime
      ? 'It may be in use: this is no longer certain.'
      : 'It has already ended.';
  }

  async #find(): Promise<readonly FoundTree[]> {
    const { clock, isOn, scan, onFound } = this.#options;
    const found = isOn() ? await scan() : [];
    const now = clock.now();
    const ids = new Set(found.map(treeId));
    for (const id of this.#since.keys()) if (!ids.has(id)) this.#since.delete(id);
    for (const id of ids) if (!this.#since.has(id)) this.#since.set(id, now);
    const isAgreed = (tree: FoundTree) => now - (this.#since.get(treeId(tree)) ?? now) >= AGREE_MS;
    const agreed = found.filter(isAgreed);
    // A certain tree is confirmed by another scan soon. Uncertain trees are never reported, and the window requests scans
    // itself while it shows them.
    if (found.some((tree) => tree.isCertain && !isAgreed(tree))) this.#plan(AGREE_MS);
    const news = agreed.filter((tree) => tree.isCertain && !this.#reported.has(treeId(tree)));
    for (const tree of news) this.#reported.add(treeId(tree));
    if (news.length > 0) onFound(news);
    return agreed;
  }

  /** Scans after the delay, and then every five minutes. Replaces a scan that was planned before. */
  #plan(delayMs: number): void {
    this.#timer?.dispose();
    if (this.#isDisposed) return;
    this.#timer = this.#options.clock.setTimeout(() => {
      this.#plan(PERIOD_MS);
      void this.find().catch(this.#options.onProblem);
    }, delayMs);
  }
}

/** Milliseconds from SIGTERM to SIGKILL, and then until the remaining processes are reported. */
const GRACES = { stopGraceMs: 2000, killGraceMs: 2000 };

/**
 * Ends the processes of a tree one by one. Their process group gets no signal, because a living client may belong to it.
 * Daemons are spared. @returns the processes that did not end
 */
function endTree(
  deps: EndTreeDeps,
  { tree, daemons }: Pick<FoundTree, 'tree' | 'daemons'>,
): Promise<readonly ProcessIdentity[]> {
  const spared = new Set(daemons);
  const findMore = async (stubborn: readonly ProcessIdentity[]) =>
    below((await deps.table.readAll?.()) ?? [], stubborn, spared);
  // Parents are ended first, so that they cannot start a child again.
  return endProcesses(deps, below(tree, tree, spared), GRACES, findMore);
}

/** Returns `roots` and all their descendants, except spared processes and the descendants of these. */
function below(
  processes: readonly ProcessReading[],
  roots: readonly ProcessIdentity[],
  spared: ReadonlySet<number>,
): readonly ProcessIdentity[] {
  const wanted = new Set(roots.map(processKey));
  const forest = new ProcessForest(processes);
  return processes.filter((one) => {
    const line = [one, ...forest.above(one.pid)];
    return line.some((other) => wanted.has(processKey(other))) && !line.some(({ pid }) => spared.has(pid));
  });
}

/** Servers of a client that is gone, as found by one scan. */
export interface FoundTree {
  /** Root first, parents before children. */
  readonly tree: readonly ProcessReading[];
  /** Id of the client; undefined if it is not known. */
  readonly client?: string;
  /** Name of the server's entry in the client's configuration. */
  readonly server?: string;
  /** Name of the server's program or package. */
  readonly name?: string;
  /**
   * True if the scan has shown that no process has the other ends of the server's input and output open, so that the server
   * cannot be in use. Always false on systems that do not reveal this.
   */
  readonly isCertain: boolean;
  /** True if other programs may connect to one of its ports or named sockets. */
  readonly listens: boolean;
  /** Pids of daemons in the tree. They and their descendants are not ended. */
  readonly daemons: readonly number[];
}

export type ScanForLeft = () => Promise<readonly FoundTree[]>;

/** Returns the identity of a process (pid and start time) as a string, which the window can send back. */
export const processKey = ({ pid, startTime }: ProcessIdentity): string => `${pid}:${startTime}`;
