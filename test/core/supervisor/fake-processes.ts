import { PassThrough } from 'node:stream';
import type {
  ProcessIdentity,
  ProcessReading,
  ProcessTable,
} from '../../../electron/core/platform/process-table.ts';
import type { Signaller, StopSignal } from '../../../electron/core/platform/signals.ts';

export interface FakeProcess {
  readonly pid: number;
  readonly startTime: string;
  readonly ppid: number;
  readonly groupId: number;
  readonly command: string;
  readonly marker?: string | undefined;
  readonly ignoresTerm?: boolean | undefined;
}

export interface SentSignal {
  readonly process: FakeProcess;
  readonly signal: StopSignal;
}

/** Machine whose processes live in memory. Signals act at once; children of the dead are adopted by 1. */
export class FakeProcesses implements ProcessTable, Signaller {
  readonly sent: SentSignal[] = [];
  /** Called before each look at the table, to let something happen elsewhere on the machine. */
  onLook: () => void = () => undefined;
  readonly #processes = new Map<number, FakeProcess>();
  #births = 0;

  /**
   * Adds a process. A pid that is taken is refused; `startTime` is the machine's own count, so it is never
   * given twice.
   */
  add(process: Omit<FakeProcess, 'startTime' | 'command'> & { command?: string }): FakeProcess {
    if (this.#processes.has(process.pid)) throw new Error(`pid ${process.pid} is taken`);
    this.#births += 1;
    const added = { command: `program-${process.pid}`, ...process, startTime: `t${this.#births}` };
    this.#processes.set(added.pid, added);
    return added;
  }

  end(pid: number): void {
    this.#processes.delete(pid);
    for (const child of this.all) {
      if (child.ppid === pid) this.#processes.set(child.pid, { ...child, ppid: 1 });
    }
  }

  get all(): readonly FakeProcess[] {
    return [...this.#processes.values()];
  }

  isAlive({ pid, startTime }: ProcessIdentity): boolean {
    return this.#processes.get(pid)?.startTime === startTime;
  }

  readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>> {
    this.onLook();
    const trees = rootPids.map((pid) => [pid, this.#tree(pid).map(toReading)] as const);
    return Promise.resolve(new Map(trees.filter(([, tree]) => tree.length > 0)));
  }

  identify(pid: number): Promise<ProcessIdentity | undefined> {
    this.onLook();
    return Promise.resolve(this.identifySync(pid));
  }

  identifySync(pid: number): ProcessIdentity | undefined {
    const found = this.#processes.get(pid);
    return found && { pid, startTime: found.startTime };
  }

  listDescendants(pid: number): Promise<readonly ProcessIdentity[]> {
    this.onLook();
    return Promise.resolve(this.#tree(pid).slice(1));
  }

  findByEnvironment(_name: string, value: string): Promise<readonly ProcessIdentity[]> {
    this.onLook();
    return Promise.resolve(this.all.filter(({ marker }) => marker === value));
  }

  signalGroup(groupPid: number, signal: StopSignal): Promise<boolean> {
    const group = this.all.filter(({ groupId }) => groupId === groupPid);
    for (const process of group) this.#signal(process, signal);
    return Promise.resolve(group.length > 0);
  }

  signalProcess(pid: number, signal: StopSignal): Promise<boolean> {
    const found = this.#processes.get(pid);
    if (found) this.#signal(found, signal);
    return Promise.resolve(found !== undefined);
  }

  dispose(): void {
    // The fake holds nothing.
  }

  #signal(process: FakeProcess, signal: StopSignal): void {
    this.sent.push({ process, signal });
    if (signal === 'SIGKILL' || !process.ignoresTerm) this.end(process.pid);
  }

  #tree(pid: number): FakeProcess[] {
    const root = this.#processes.get(pid);
    if (!root) return [];
    const tree = [root];
    for (const parent of tree)
      tree.push(...this.all.filter((one) => one.ppid === parent.pid && one !== parent));
    return tree;
  }
}

function toReading({ pid, startTime, ppid, groupId, command }: FakeProcess): ProcessReading {
  const times = { cpuTimeMs: 0, reapedCpuTimeMs: 0 };
  return { pid, startTime, ppid, groupId, command, isStopped: false, isHeld: false, ...times };
}

/** Pipes of a child that nothing has used yet. */
export const openStreams = () => ({
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
});
