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

/** The spawned child, and the job (a Windows job object) that contains it, if there is one. */
interface Root {
  readonly pid: number;
  readonly job?: ProcessJob;
}

const POLL_MS = 20;
/**
 * Maximum milliseconds that a signal is delayed while the process table is read. A slow scan must not delay the end of the
 * processes any longer.
 */
const LOOK_MS = 5000;
/**
 * Maximum number of recorded processes that are kept although the last sample did not show them. Applies only if checking each
 * of them would cost a listing of all processes.
 */
const MAX_UNSEEN = 256;

/**
 * All processes of one spawn that were ever observed (the members). A signal is sent to a pid only if its start time is still
 * that of the member.
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

  /** All recorded processes, dead or alive. They are stored in the ledger (a file), so that the next app run finds them. */
  get members(): readonly ProcessIdentity[] {
    return [...this.#members.values()];
  }

  /**
   * Error that occurred when the process table was read while the tree was being ended; undefined if there was none. After an
   * error, unknown processes may still be alive. No method throws this error, because the known processes must be ended anyway.
   */
  get lookError(): Error | undefined {
    return this.#lookError;
  }

  /** Resets `lookError`, so that it only reports errors of later scans. @returns whether there was an error */
  forgetLookError(): boolean {
    const hadFailed = this.#lookError !== undefined;
    this.#lookError = undefined;
    return hadFailed;
  }

  /**
   * Records the leader (the spawned child) and the current descendants of every living member. Call it before each signal,
   * because the children of a process can no longer be found once that process is dead. The descendants of all members are
   * requested together, so that a process table with expensive scans needs only one.
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
   * Adds the processes of a sample, so that they can still be found after a crash, when their parent is gone. Recorded
   * processes that are neither in `seen` nor alive are forgotten, so that short-lived children do not make the record grow.
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

  /**
   * Finds the living processes of this spawn: the recorded ones, and those that left the process group, which are identified by
   * their job or by the marker in their environment.
   */
  async survivors(): Promise<readonly ProcessIdentity[]> {
    const marked = this.#look(() => this.#findMarked());
    const living = await this.#living();
    const escaped = ((await marked) ?? []).filter(({ pid }) => living.every((member) => member.pid !== pid));
    this.#add(escaped);
    return [...living, ...escaped.filter(({ pid }) => this.#members.has(pid))];
  }

  async signalSurvivors(signal: StopSignal): Promise<readonly ProcessIdentity[]> {
    const survivors = await this.survivors();
    const sent = await Promise.all(survivors.map((member) => this.#signalMember(member, signal)));
    return survivors.filter((_, index) => sent[index]);
  }

  /** Resolves to true when no process of this spawn is left; to false after `limitMs`. */
  isGoneWithin(limitMs: number): Promise<boolean> {
    const isGone = async () => (await this.#living()).length === 0;
    return holdsWithin(this.#deps.clock, isGone, { limitMs, intervalMs: POLL_MS });
  }

  /**
   * Sends a signal to a recorded process. Its pid is looked up again right before, because another process that has reused the
   * pid must not be signalled.
   */
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

  /**
   * Returns the recorded process as the process table shows it now; undefined if it is gone, or cannot be distinguished from
   * another process with the same pid.
   */
  async #find(member: ProcessIdentity): Promise<ProcessIdentity | undefined> {
    const { table } = this.#deps;
    const found = await this.#look(async () =>
      table.identifySync ? table.identifySync(member.pid) : await table.identify(member.pid),
    );
    return found?.startTime === member.startTime ? found : undefined;
  }

  /** Returns true if the process is certainly gone. Without a synchronous lookup this is never certain. */
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
