import type { ProbeKind } from '../../mcp/mcp-connection.ts';
import type { Clock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { settlesWithin } from '../../wait.ts';

/** Order in which probe kinds are tried: `ping` is cheap, and nearly every server answers `tools/list`. */
const KINDS: readonly ProbeKind[] = ['ping', 'tools/list'];

interface SentProbe {
  readonly sentAtMs: number;
  /** True if no call was unfinished when the probe was sent. */
  readonly wasIdle: boolean;
}

/** Times when the server last sent anything, and when it last answered anything. */
interface Heard {
  readonly activityAtMs: number;
  readonly answerAtMs: number;
}

/**
 * Kinds of probe that one version of a server has answered, kept across restarts (proven kinds). Answers are not recorded per
 * call, because an answer during one call proves nothing about another: most servers have both synchronous and asynchronous
 * tools.
 */
export type ProvenKinds = Set<ProbeKind>;

/**
 * Probes (messages that check whether the server still answers) sent over one connection. While a probe is unanswered, no other
 * probe of its kind is sent, so that probes do not fill the pipe.
 */
export class ProbeBook {
  readonly #proven: ProvenKinds;
  readonly #outstanding = new Map<ProbeKind, SentProbe>();
  readonly #ignored = new Set<ProbeKind>();
  /**
   * Time when the first of the probes lost since the server's last answer was sent; undefined if none is lost. A probe is lost
   * if `settle` gave up on it although its kind is proven (the server has answered this kind before).
   */
  #lostSentAtMs: number | undefined;
  /** Like `#lostSentAtMs`, but only for probes sent while no unfinished call excused their loss; undefined if none is lost. */
  #lostIdleSentAtMs: number | undefined;
  #lastAnsweredSentAtMs = -Infinity;
  #hasAnswered = false;

  constructor(proven: ProvenKinds) {
    this.#proven = proven;
  }

  /** Returns the kind of probe to send next: a proven one, else an untried one; undefined if all are pending or ignored. */
  nextKind(): ProbeKind | undefined {
    const free = KINDS.filter((kind) => !this.#outstanding.has(kind) && !this.#ignored.has(kind));
    return free.find((kind) => this.#proven.has(kind)) ?? free[0];
  }

  sent(kind: ProbeKind, probe: SentProbe): void {
    this.#outstanding.set(kind, probe);
  }

  answered(kind: ProbeKind): void {
    const probe = this.#outstanding.get(kind);
    this.#outstanding.delete(kind);
    this.#ignored.delete(kind);
    this.#lostSentAtMs = this.#lostIdleSentAtMs = undefined;
    this.#proven.add(kind);
    this.#hasAnswered = true;
    if (probe) this.#lastAnsweredSentAtMs = probe.sentAtMs;
  }

  /**
   * Gives up on probes that have been unanswered for at least `patienceMs` although the server has sent a message since. A kind
   * that this server has never answered is ignored from then on. Any other kind may be sent again, and its probe counts as lost
   * unless the server has answered something else since.
   */
  settle({ activityAtMs, answerAtMs }: Heard, nowMs: number, patienceMs: number): void {
    if (!isSince(answerAtMs, this.#lostSentAtMs)) this.#lostSentAtMs = undefined;
    if (!isSince(answerAtMs, this.#lostIdleSentAtMs)) this.#lostIdleSentAtMs = undefined;
    for (const [kind, probe] of this.#outstanding) {
      if (probe.sentAtMs >= activityAtMs || nowMs - probe.sentAtMs < patienceMs) continue;
      this.#outstanding.delete(kind);
      if (!this.#proven.has(kind)) this.#ignored.add(kind);
      else if (isSince(answerAtMs, probe.sentAtMs)) this.#lost(probe);
    }
  }

  #lost({ sentAtMs, wasIdle }: SentProbe): void {
    this.#lostSentAtMs ??= sentAtMs;
    if (wasIdle) this.#lostIdleSentAtMs ??= sentAtMs;
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Time when the last answered probe of this run was sent; `-Infinity` before an answer. */
  get lastAnsweredSentAtMs(): number {
    return this.#lastAnsweredSentAtMs;
  }

  get isAnyOutstanding(): boolean {
    return this.#outstanding.size > 0;
  }

  /** False once every kind of probe remained unanswered although the server sent messages. */
  get canBeProbed(): boolean {
    return KINDS.some((kind) => !this.#ignored.has(kind));
  }

  get isProven(): boolean {
    return this.#proven.size > 0;
  }

  /** Returns the oldest unanswered probe since `activityAtMs`; undefined if there is none. */
  oldestUnanswered(activityAtMs: number): SentProbe | undefined {
    return this.#oldest(activityAtMs, () => true);
  }

  /** Returns the oldest unanswered probe sent from `activityAtMs` on, to an idle server that has answered its kind before. */
  oldestInexcusable(activityAtMs: number): SentProbe | undefined {
    return this.#oldest(activityAtMs, (probe, isProven) => probe.wasIdle && isProven);
  }

  /**
   * Returns the time at which the oldest probe sent after the server's last answer was sent; undefined if there is none. Only
   * probes sent to an idle server count, and only of kinds that the server has answered before. @param answerAtMs time of the
   * server's last answer to anything
   */
  owedSince(answerAtMs: number): number | undefined {
    if (isSince(answerAtMs, this.#lostIdleSentAtMs)) return this.#lostIdleSentAtMs;
    return this.oldestInexcusable(answerAtMs)?.sentAtMs;
  }

  /** Returns the same time as `owedSince`, but also counts probes sent during calls. */
  provenUnansweredSince(answerAtMs: number): number | undefined {
    if (isSince(answerAtMs, this.#lostSentAtMs)) return this.#lostSentAtMs;
    return this.#oldest(answerAtMs, (_probe, isProven) => isProven)?.sentAtMs;
  }

  #oldest(sinceMs: number, matches: (probe: SentProbe, isProven: boolean) => boolean): SentProbe | undefined {
    let oldest: SentProbe | undefined;
    for (const [kind, probe] of this.#outstanding) {
      if (probe.sentAtMs < sinceMs || !matches(probe, this.#proven.has(kind))) continue;
      if (oldest === undefined || probe.sentAtMs < oldest.sentAtMs) oldest = probe;
    }
    return oldest;
  }

  unansweredAt(nowMs: number): { kind: ProbeKind; unansweredMs: number }[] {
    return [...this.#outstanding].map(([kind, probe]) => ({
      kind,
      unansweredMs: Math.round(nowMs - probe.sentAtMs),
    }));
  }
}

function isSince(atMs: number, sentAtMs: number | undefined): boolean {
  return sentAtMs !== undefined && sentAtMs >= atMs;
}

/** Milliseconds within which a healthy idle server answers a probe. A call sent later does not excuse a missing answer. */
export const ALONE_MS = 1000;
/**
 * Maximum time in ms for which a call is delayed. It exceeds `ALONE_MS` so that, even if the timer fires early, the call is
 * sent too late to excuse an unanswered probe.
 */
const HOLD_MS = ALONE_MS + 20;

/** Delays calls while the probe before them is unanswered, up to a limit. That probe was sent while no call was unfinished. */
export class CallHold {
  readonly #clock: Clock;
  readonly #released = createDeferred<void>();
  #current: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Settles when a call may be sent; undefined if it may be sent now. */
  get current(): Promise<void> | undefined {
    return this.#current;
  }

  /** Delays calls until the probe is answered, but for `HOLD_MS` at most. */
  until(answered: Promise<unknown>): void {
    const either = Promise.race([answered, this.#released.promise]);
    const current = settlesWithin(this.#clock, either, HOLD_MS).then(() => {
      if (this.#current === current) this.#current = undefined;
    });
    this.#current = current;
  }

  dispose(): void {
    this.#released.resolve();
  }
}
