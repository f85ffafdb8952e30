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
 * Kinds of probe that one version of a server has answered; kept across restarts. An answer during one call proves nothing
 * about another call, because most servers have synchronous and asynchronous tools.
 */
export type ProvenKinds = Set<ProbeKind>;

/** Probes of one connection. A kind with an unanswered probe is not sent again, so that probes do not fill the pipe. */
export class ProbeBook {
  readonly #proven: ProvenKinds;
  readonly #outstanding = new Map<ProbeKind, SentProbe>();
  readonly #ignored = new Set<ProbeKind>();
  /** Time when the first probe of a proven kind was sent that was lost since the last answer; undefined if none is lost. */
  #lostSentAtMs: number | undefined;
  /** Time when the first such probe was sent that no call excuses; undefined if none is lost. */
  #lostIdleSentAtMs: number | undefined;
  #lastAnsweredSentAtMs = -Infinity;
  #hasAnswered = false;

  constructor(proven: ProvenKinds) {
    this.#proven = proven;
  }

  /**
   * Returns the kind of probe to send next: a proven one, otherwise an untried one; undefined if all kinds are pending or
   * ignored.
   */
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
   * Settles probes that were sent before the activity at `activityAtMs` and are still unanswered after `patienceMs`. A kind
   * that was never answered is ignored from then on. A probe of a proven kind counts as lost, and its kind may be sent again.
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

  /** Returns the oldest unanswered probe since `activityAtMs` that is of a proven kind and was sent to an idle server. */
  oldestInexcusable(activityAtMs: number): SentProbe | undefined {
    return this.#oldest(activityAtMs, (probe, isProven) => probe.wasIdle && isProven);
  }

  /**
   * Returns the time of the oldest probe since which the server has answered nothing. Only probes of a proven kind that were
   * sent to an idle server count. @param answerAtMs time of the server's last answer to anything
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

/** Milliseconds within which a healthy idle server answers a probe. A later call does not excuse the probe. */
export const ALONE_MS = 1000;
/** Longest wait of a call in ms. It is so long that, even with an early timer, the call is sent too late to excuse the probe. */
const HOLD_MS = ALONE_MS + 20;

/** Delays calls while the probe before them is unanswered, up to a limit. That probe was sent while nothing was unfinished. */
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

  /** Delays calls until the probe is answered, or until the longest wait has ended. */
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
