import type { Clock } from '../clock.ts';
import { holdsWithin } from '../wait.ts';
import { RUN_MARKER_NAME } from './child-environment.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';
import type { Signaller, StopSignal } from './signals.ts';

export interface ProcessTreeDeps {
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly clock: Clock;
}

const POLL_MS = 20;
/** Members kept although the last pass did not see them, where asking for each would cost a process listing. */
const MAX_UNSEEN = 256;

/**
 * What one spawn left in the process table: the group leader and every descendant that was ever seen.
 * A pid is signalled only while its start time still matches, a group only while a recorded member lives,
 * since the kernel gives both numbers to strangers later.
 */
export class ProcessTree {
  readonly #deps: ProcessTreeDeps;
  readonly #leaderPid: number;
  readonly #marker: string;
  readonly #members = new Map<number, ProcessIdentity>();

  constructor(deps: ProcessTreeDeps, leaderPid: number, marker: string) {
    this.#deps = deps;
    this.#leaderPid = leaderPid;
    this.#marker = marker;
    const leader = deps.table.identifySync?.(leaderPid);
    if (leader !== undefined) this.#members.set(leaderPid, leader);
  }

  /** Everything ever recorded, dead or alive; for the ledger. */
  get members(): readonly ProcessIdentity[] {
    return [...this.#members.values()];
  }

  /** Adds the descendants of every living member as they are now. Call it before the first signal: a dead parent hides its children. */
  async record(): Promise<void> {
    const { table } = this.#deps;
    if (!this.#members.has(this.#leaderPid)) {
      const leader = await table.identify(this.#leaderPid);
      if (leader !== undefined) this.#members.set(leader.pid, leader);
    }
    for (const member of await this.#living()) this.#add(await table.listDescendants(member.pid));
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
    const forgotten = canAsk
      ? unseen.filter((member) => this.#deps.table.identifySync?.(member.pid)?.startTime !== member.startTime)
      : unseen.slice(0, -MAX_UNSEEN);
    for (const member of forgotten) this.#members.delete(member.pid);
    this.#add(seen);
  }

  /** Signals the group, if somebody we recorded still lives in it: its number cannot have gone to strangers then. */
  async signalGroup(signal: StopSignal): Promise<void> {
    const isInGroup = ({ pid, groupId }: ProcessIdentity) =>
      pid === this.#leaderPid || groupId === this.#leaderPid;
    if ((await this.#living()).some(isInGroup))
      await this.#deps.signaller.signalGroup(this.#leaderPid, signal);
  }

  /** Living processes of this spawn: recorded ones, and escapees that only the marker in their environment gives away. */
  async survivors(): Promise<readonly ProcessIdentity[]> {
    this.#add(await this.#deps.table.findByEnvironment(RUN_MARKER_NAME, this.#marker));
    return this.#living();
  }

  /** Sends `signal` to each survivor; returns those it was sent to. */
  async signalSurvivors(signal: StopSignal): Promise<readonly ProcessIdentity[]> {
    const alive = await this.survivors();
    for (const member of alive) await this.#signalMember(member, signal);
    return alive;
  }

  /** True once no process of this spawn is left. */
  isGoneWithin(limitMs: number): Promise<boolean> {
    const isGone = async () => (await this.#living()).length === 0;
    return holdsWithin(this.#deps.clock, isGone, { limitMs, intervalMs: POLL_MS });
  }

  async #signalMember(member: ProcessIdentity, signal: StopSignal): Promise<void> {
    // Looked up again right before the signal: the time between the two is the window for a recycled pid.
    if (await this.#find(member)) await this.#deps.signaller.signalProcess(member.pid, signal);
  }

  /** As they are now: a process may have left its group since it was recorded. */
  async #living(): Promise<readonly ProcessIdentity[]> {
    const found = await Promise.all(this.members.map((member) => this.#find(member)));
    return found.filter((member) => member !== undefined);
  }

  async #find(member: ProcessIdentity): Promise<ProcessIdentity | undefined> {
    const { table } = this.#deps;
    const found = table.identifySync ? table.identifySync(member.pid) : await table.identify(member.pid);
    return found?.startTime === member.startTime ? found : undefined;
  }

  #add(processes: readonly ProcessIdentity[]): void {
    for (const { pid, startTime } of processes) {
      if (pid !== process.pid) this.#members.set(pid, { pid, startTime });
    }
  }
}
