import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { ProbeKind } from '../connection/mcp-connection.ts';

/** The order in which kinds are tried: `ping` is cheap, `tools/list` is what nearly every server answers. */
const KINDS: readonly ProbeKind[] = ['ping', 'tools/list'];

interface Outstanding {
  readonly sentAtMs: number;
  /** No call was unfinished when it was sent. */
  readonly wasIdle: boolean;
  /** Calls that were under way. */
  readonly callIds: readonly RequestId[];
}

/** When the server last sent anything, and when it last answered anything. */
interface Heard {
  readonly activityAtMs: number;
  readonly answerAtMs: number;
}

/** What is known about how a server of one version answers; kept over restarts. */
export interface LearntAnswers {
  readonly provenKinds: Set<ProbeKind>;
  answersWhileBusy: boolean;
}

export function nothingLearnt(): LearntAnswers {
  return { provenKinds: new Set(), answersWhileBusy: false };
}

/**
 * The probes of one connection: which kinds are worth asking, which are unanswered and since when. A kind is never
 * asked again while it is unanswered, so a deaf server's pipe does not fill with our questions.
 */
export class ProbeBook {
  readonly learnt: LearntAnswers;
  readonly #outstanding = new Map<ProbeKind, Outstanding>();
  readonly #ignored = new Set<ProbeKind>();
  /** When the first question was sent that counts as lost, and that nothing was answered since. */
  #lostSentAtMs: number | undefined;

  constructor(learnt: LearntAnswers) {
    this.learnt = learnt;
  }

  /** The kind to ask next: one that is known to be answered, else one that was not tried; undefined when all wait or are ignored. */
  nextKind(): ProbeKind | undefined {
    const free = KINDS.filter((kind) => !this.#outstanding.has(kind) && !this.#ignored.has(kind));
    return free.find((kind) => this.learnt.provenKinds.has(kind)) ?? free[0];
  }

  sent(kind: ProbeKind, probe: Outstanding): void {
    this.#outstanding.set(kind, probe);
  }

  /** `isOpen` tells whether a call is under way still: only an answer during the very call proves that calls do not block. */
  answered(kind: ProbeKind, isOpen: (callId: RequestId) => boolean): void {
    const probe = this.#outstanding.get(kind);
    this.#outstanding.delete(kind);
    this.#ignored.delete(kind);
    this.#lostSentAtMs = undefined;
    this.learnt.provenKinds.add(kind);
    if (probe?.callIds.some(isOpen)) this.learnt.answersWhileBusy = true;
  }

  /**
   * The server has said something at `activityAtMs`. What was asked before and is unanswered for `patienceMs` since is
   * ignored for good if this kind was never answered, else merely lost: it may be asked again.
   */
  settle({ activityAtMs, answerAtMs }: Heard, nowMs: number, patienceMs: number): void {
    if (!isSince(answerAtMs, this.#lostSentAtMs)) this.#lostSentAtMs = undefined;
    for (const [kind, probe] of this.#outstanding) {
      if (probe.sentAtMs >= activityAtMs || nowMs - probe.sentAtMs < patienceMs) continue;
      this.#outstanding.delete(kind);
      if (this.#isTelling(kind, probe) && isSince(answerAtMs, probe.sentAtMs))
        this.#lostSentAtMs ??= probe.sentAtMs;
      if (!this.learnt.provenKinds.has(kind)) this.#ignored.add(kind);
    }
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

  /** Every kind that may be answered at all has been asked since `activityAtMs`, in vain. */
  isEveryKindUnanswered(activityAtMs: number): boolean {
    const worthAsking = KINDS.filter((kind) => !this.#ignored.has(kind));
    return (
      worthAsking.length > 0 &&
      worthAsking.every((kind) => (this.#outstanding.get(kind)?.sentAtMs ?? -1) >= activityAtMs)
    );
  }

  /** When the first probe since `activityAtMs` that `matches` was sent; undefined when none is unanswered. */
  oldestUnanswered(
    activityAtMs: number,
    matches: (probe: Outstanding, isProven: boolean) => boolean,
  ): number | undefined {
    let oldest: number | undefined;
    for (const [kind, probe] of this.#outstanding) {
      if (probe.sentAtMs < activityAtMs || !matches(probe, this.learnt.provenKinds.has(kind))) continue;
      oldest = Math.min(oldest ?? Infinity, probe.sentAtMs);
    }
    return oldest;
  }

  /**
   * When the first question was sent that nothing was answered since, whatever else came; only of those that a server
   * with nothing else to do is known to answer.
   * @param answerAtMs its last answer to anything
   */
  owedSince(answerAtMs: number): number | undefined {
    if (isSince(answerAtMs, this.#lostSentAtMs)) return this.#lostSentAtMs;
    return this.oldestUnanswered(answerAtMs, (probe, isProven) => probe.wasIdle && isProven);
  }

  #isTelling(kind: ProbeKind, probe: Outstanding): boolean {
    return probe.wasIdle && this.learnt.provenKinds.has(kind);
  }

  /** For the evidence of a verdict. */
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
