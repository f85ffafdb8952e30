import type { Clock } from '../clock.ts';
import { holdsWithin, settlesWithin } from '../wait.ts';
import { RUN_MARKER_NAME } from './child-environment.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';
import type { Signaller, StopSignal } from './signals.ts';

export interface ProcessTreeDeps {
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly clock: Clock;
}

const POLL_MS = 20;
/** The longest wait for the process table before the next signal, because a slow look must not put off the end. */
const LOOK_MS = 5000;
/** Members kept although the last pass did not see them, where asking for each would cost a process listing. */
const MAX_UNSEEN = 256;

/**
 * What one spawn left in the process table: the group leader and every descendant that was ever seen.
 * A pid is signalled only while its start time still matches, since the kernel gives it to a stranger later.
 */
export class ProcessTree {
  readonly #deps: ProcessTreeDeps;
  readonly #leaderPid: number;
  readonly #marker: string;
  readonly #members = new Map<number, ProcessIdentity>();
  #lookError: Error | undefined;

  constructor(deps: ProcessTreeDeps, leaderPid: number, marker: string) {
    this.#deps = deps;
    this.#leaderPid = leaderPid;
    this.#marker = marker;
    const leader = this.#lookNow(leaderPid);
    if (leader !== undefined && leader !== 'unknown') this.#members.set(leaderPid, leader);
  }

  /** Everything ever recorded, dead or alive; for the ledger. */
  get members(): readonly ProcessIdentity[] {
    return [...this.#members.values()];
  }

  /**
   * Why the process table could not be read while the tree was to be ended, when it could not: then more of it may live than
   * is known. Nothing here throws for that, since what is known has to be ended all the same.
   */
  get lookError(): Error | undefined {
    return this.#lookError;
  }

  /** Adds the descendants of every living member as they are now. Call it before the first signal: a dead parent hides its children. */
  async record(): Promise<void> {
    const { table } = this.#deps;
    if (!this.#members.has(this.#leaderPid)) {
      const leader = await this.#look(() => table.identify(this.#leaderPid));
      if (leader !== undefined) this.#members.set(leader.pid, leader);
    }
    for (const member of await this.#living())
      this.#add((await this.#look(() => table.listDescendants(member.pid))) ?? []);
  }

  /**
   * Takes over what a sampler's pass saw of the tree, so that a crash finds it although the parent is gone.
   * Members that are neither in `seen` nor alive are forgotten: a server with short-lived children must not grow the record.
   */
  remember(seen: readonly ProcessIdentity[]): void {
    const seenPids = new Set(seen.map((member) => member.pid));
    const unseen = this.members.filter(
      (member) => !seenPids.has(member.pid) && member.pid !== this.#leaderPid,
    );
    const canAsk = this.#deps.table.identifySync !== undefined;
    const forgotten = canAsk ? unseen.filter((member) => this.#isGone(member)) : unseen.slice(0, -MAX_UNSEEN);
    for (const member of forgotten) this.#members.delete(member.pid);
    this.#add(seen);
  }

  /** Living processes of this spawn: recorded ones, and escapees that only the marker in their environment gives away. */
  async survivors(): Promise<readonly ProcessIdentity[]> {
    const { table } = this.#deps;
    this.#add((await this.#look(() => table.findByEnvironment(RUN_MARKER_NAME, this.#marker))) ?? []);
    return this.#living();
  }

  /** Sends `signal` to each survivor; returns those it was sent to. */
  async signalSurvivors(signal: StopSignal): Promise<readonly ProcessIdentity[]> {
    const signalled: ProcessIdentity[] = [];
    for (const member of await this.survivors()) {
      if (await this.#signalMember(member, signal)) signalled.push(member);
    }
    return signalled;
  }

  /** True once no process of this spawn is left. */
  isGoneWithin(limitMs: number): Promise<boolean> {
    const isGone = async () => (await this.#living()).length === 0;
    return holdsWithin(this.#deps.clock, isGone, { limitMs, intervalMs: POLL_MS });
  }

  async #signalMember(member: ProcessIdentity, signal: StopSignal): Promise<boolean> {
    // Looked up again right before the signal: the time between the two is the window for a recycled pid.
    const found = await this.#find(member);
    return found !== undefined && this.#deps.signaller.signalProcess(member.pid, signal);
  }

  async #living(): Promise<readonly ProcessIdentity[]> {
    const found = await Promise.all(this.members.map((member) => this.#find(member)));
    return found.filter((member) => member !== undefined);
  }

  /** Undefined for a member that is gone, and for one that cannot be told from a stranger with its pid. */
  async #find(member: ProcessIdentity): Promise<ProcessIdentity | undefined> {
    const { table } = this.#deps;
    const found = await this.#look(async () =>
      table.identifySync ? table.identifySync(member.pid) : await table.identify(member.pid),
    );
    return found?.startTime === member.startTime ? found : undefined;
  }

  /** Certainly; only where a look takes no time. */
  #isGone({ pid, startTime }: ProcessIdentity): boolean {
    const found = this.#lookNow(pid);
    return found !== 'unknown' && found?.startTime !== startTime;
  }

  #lookNow(pid: number): ProcessIdentity | undefined | 'unknown' {
    const { table } = this.#deps;
    try {
      return table.identifySync ? table.identifySync(pid) : 'unknown';
    } catch {
      return 'unknown';
    }
  }

  async #look<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = ask();
      if (!(await settlesWithin(this.#deps.clock, answer, LOOK_MS)))
        throw new Error(`the process table gave no answer in ${LOOK_MS} ms`);
      return await answer;
    } catch (error) {
      this.#lookError ??= error instanceof Error ? error : new Error(String(error));
      return undefined;
    }
  }

  #add(processes: readonly ProcessIdentity[]): void {
    for (const { pid, startTime } of processes) {
      if (pid !== process.pid) this.#members.set(pid, { pid, startTime });
    }
  }
}
