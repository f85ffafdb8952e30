import type { Clock } from '../clock.ts';
import { holdsWithin, settlesWithin } from '../wait.ts';
import { RUN_MARKER_NAME } from './child-environment.ts';
import type { ProcessJob } from './process-job.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';
import type { Signaller, StopSignal } from './signals.ts';

export interface ProcessTreeDeps {
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly clock: Clock;
}

/** The child that was spawned, and the job that holds it, where there is one. */
export interface Root {
  readonly pid: number;
  readonly job?: ProcessJob;
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
  readonly #job: ProcessJob | undefined;
  readonly #members = new Map<number, ProcessIdentity>();
  #lookError: Error | undefined;

  constructor(deps: ProcessTreeDeps, { pid: leaderPid, job }: Root, marker: string) {
    this.#deps = deps;
    this.#leaderPid = leaderPid;
    this.#marker = marker;
    this.#job = job;
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

  /** To be told only of looks from now on. @returns whether any had failed before */
  forgetLookError(): boolean {
    const hadFailed = this.#lookError !== undefined;
    this.#lookError = undefined;
    return hadFailed;
  }

  /**
   * Adds the leader and the descendants of every living member as they are now. Call it before the first signal: a dead
   * parent hides its children. All is asked at once, so that a table whose looks are dear needs one for it.
   */
  async record(): Promise<void> {
    const { table } = this.#deps;
    const isNew = !this.#members.has(this.#leaderPid);
    const leader = isNew ? this.#look(() => table.identify(this.#leaderPid)) : undefined;
    const families = this.members.map(async (member) => {
      const [found, below] = await Promise.all([
        this.#find(member),
        this.#look(() => table.listDescendants(member.pid)),
      ]);
      return found === undefined ? [] : (below ?? []);
    });
    const below = isNew ? this.#look(() => table.listDescendants(this.#leaderPid)) : undefined;
    const found = await leader;
    if (found !== undefined) this.#add([found, ...((await below) ?? [])]);
    for (const family of await Promise.all(families)) this.#add(family);
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

  /** Living processes of this spawn: recorded ones, and escapees that only their job or the marker in their environment gives away. */
  async survivors(): Promise<readonly ProcessIdentity[]> {
    const marked = this.#look(() => this.#findMarked());
    const living = await this.#living();
    const escaped = ((await marked) ?? []).filter(({ pid }) => living.every((member) => member.pid !== pid));
    this.#add(escaped);
    return [...living, ...escaped.filter(({ pid }) => this.#members.has(pid))];
  }

  /** Sends `signal` to each survivor; returns those it was sent to. */
  async signalSurvivors(signal: StopSignal): Promise<readonly ProcessIdentity[]> {
    const survivors = await this.survivors();
    const sent = await Promise.all(survivors.map((member) => this.#signalMember(member, signal)));
    return survivors.filter((_, index) => sent[index]);
  }

  /** True once no process of this spawn is left. */
  isGoneWithin(limitMs: number): Promise<boolean> {
    const isGone = async () => (await this.#living()).length === 0;
    return holdsWithin(this.#deps.clock, isGone, { limitMs, intervalMs: POLL_MS });
  }

  /** Looked up again right before the signal, because the time between the two is the window for a recycled pid. */
  async #signalMember(member: ProcessIdentity, signal: StopSignal): Promise<boolean> {
    const found = await this.#find(member);
    return found !== undefined && this.#deps.signaller.signalProcess(member.pid, signal);
  }

  async #findMarked(): Promise<readonly ProcessIdentity[]> {
    const { table } = this.#deps;
    const marked = table.findByEnvironment(RUN_MARKER_NAME, this.#marker);
    const held = await Promise.all((this.#job?.pids() ?? []).map((pid) => table.identify(pid)));
    return [...(await marked), ...held.filter((process) => process !== undefined)];
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
