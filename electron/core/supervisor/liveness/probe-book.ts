import type { ProbeKind } from '../../mcp/mcp-connection.ts';

/** The order in which kinds are tried: `ping` is cheap, `tools/list` is what nearly every server answers. */
const KINDS: readonly ProbeKind[] = ['ping', 'tools/list'];

export interface SentProbe {
  readonly sentAtMs: number;
  /** No call was unfinished when it was sent. */
  readonly wasIdle: boolean;
}

/** When the server last sent anything, and when it last answered anything. */
interface Heard {
  readonly activityAtMs: number;
  readonly answerAtMs: number;
}

/**
 * What is known about how a server of one version answers; kept over restarts. Only the kinds: that it answered during
 * one call says nothing about another, because most servers have synchronous and asynchronous tools.
 */
export interface ObservedAnswers {
  readonly provenKinds: Set<ProbeKind>;
}

export function nothingObserved(): ObservedAnswers {
  return { provenKinds: new Set() };
}

/**
 * The probes of one connection: which kinds are worth asking, which are unanswered and since when. A kind is never
 * asked again while it is unanswered, so a deaf server's pipe does not fill with our questions.
 */
export class ProbeBook {
  readonly learnt: ObservedAnswers;
  readonly #outstanding = new Map<ProbeKind, SentProbe>();
  readonly #ignored = new Set<ProbeKind>();
  /** When the first question was sent, of a kind that is answered, that counts as lost, and that nothing was answered since. */
  #lostSentAtMs: number | undefined;
  /** The same of questions that no call excuses. */
  #lostIdleSentAtMs: number | undefined;
  #lastAnsweredSentAtMs = -Infinity;
  #hasAnswered = false;

  constructor(learnt: ObservedAnswers) {
    this.learnt = learnt;
  }

  /** The kind to ask next: one that is known to be answered, else one that was not tried; undefined when all wait or are ignored. */
  nextKind(): ProbeKind | undefined {
    const free = KINDS.filter((kind) => !this.#outstanding.has(kind) && !this.#ignored.has(kind));
    return free.find((kind) => this.learnt.provenKinds.has(kind)) ?? free[0];
  }

  sent(kind: ProbeKind, probe: SentProbe): void {
    this.#outstanding.set(kind, probe);
  }

  answered(kind: ProbeKind): void {
    const probe = this.#outstanding.get(kind);
    this.#outstanding.delete(kind);
    this.#ignored.delete(kind);
    this.#lostSentAtMs = this.#lostIdleSentAtMs = undefined;
    this.learnt.provenKinds.add(kind);
    this.#hasAnswered = true;
    if (probe) this.#lastAnsweredSentAtMs = probe.sentAtMs;
  }

  /**
   * The server has said something at `activityAtMs`. What was asked before and is unanswered for `patienceMs` since is
   * ignored for good if this kind was never answered, else merely lost: it may be asked again.
   */
  settle({ activityAtMs, answerAtMs }: Heard, nowMs: number, patienceMs: number): void {
    if (!isSince(answerAtMs, this.#lostSentAtMs)) this.#lostSentAtMs = undefined;
    if (!isSince(answerAtMs, this.#lostIdleSentAtMs)) this.#lostIdleSentAtMs = undefined;
    for (const [kind, probe] of this.#outstanding) {
      if (probe.sentAtMs >= activityAtMs || nowMs - probe.sentAtMs < patienceMs) continue;
      this.#outstanding.delete(kind);
      if (!this.learnt.provenKinds.has(kind)) this.#ignored.add(kind);
      else if (isSince(answerAtMs, probe.sentAtMs)) this.#lost(probe);
    }
  }

  #lost({ sentAtMs, wasIdle }: SentProbe): void {
    this.#lostSentAtMs ??= sentAtMs;
    if (wasIdle) this.#lostIdleSentAtMs ??= sentAtMs;
  }

  /** Some probe was answered in this run. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** When the last probe was sent that was answered, in this run. */
  get lastAnsweredSentAtMs(): number {
    return this.#lastAnsweredSentAtMs;
  }

  get isAnyOutstanding(): boolean {
    return this.#outstanding.size > 0;
  }

  /** False once every kind was tried in vain, although the server spoke. */
  get canBeProbed(): boolean {
    return KINDS.some((kind) => !this.#ignored.has(kind));
  }

  /** Some kind was answered by this server once. */
  get isProven(): boolean {
    return this.learnt.provenKinds.size > 0;
  }

  /** The first probe since `activityAtMs` that is unanswered; undefined when none is. */
  oldestUnanswered(activityAtMs: number): SentProbe | undefined {
    return this.#oldest(activityAtMs, () => true);
  }

  /** The same, of those that a server with nothing else to do is known to answer. */
  oldestInexcusable(activityAtMs: number): SentProbe | undefined {
    return this.#oldest(activityAtMs, (probe, isProven) => probe.wasIdle && isProven);
  }

  /**
   * When the first question was sent that nothing was answered since, whatever else came; only of those that a server
   * with nothing else to do is known to answer.
   * @param answerAtMs its last answer to anything
   */
  owedSince(answerAtMs: number): number | undefined {
    if (isSince(answerAtMs, this.#lostIdleSentAtMs)) return this.#lostIdleSentAtMs;
    return this.oldestInexcusable(answerAtMs)?.sentAtMs;
  }

  /** The same, of questions that were sent during calls, too. */
  provenUnansweredSince(answerAtMs: number): number | undefined {
    if (isSince(answerAtMs, this.#lostSentAtMs)) return this.#lostSentAtMs;
    return this.#oldest(answerAtMs, (_probe, isProven) => isProven)?.sentAtMs;
  }

  #oldest(sinceMs: number, matches: (probe: SentProbe, isProven: boolean) => boolean): SentProbe | undefined {
    let oldest: SentProbe | undefined;
    for (const [kind, probe] of this.#outstanding) {
      if (probe.sentAtMs < sinceMs || !matches(probe, this.learnt.provenKinds.has(kind))) continue;
      if (oldest === undefined || probe.sentAtMs < oldest.sentAtMs) oldest = probe;
    }
    return oldest;
  }

  /** Unanswered probes, for the evidence of a verdict. */
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
