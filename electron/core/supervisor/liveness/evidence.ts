import type { CallInFlight } from '../../mcp/call-ledger.ts';
import { hasAnsweredDuringCalls, type Observations } from './gather-facts.ts';
import type { WorkDone } from './tree-work.ts';

/** Figures shown to the user with a verdict. */
export interface Evidence {
  readonly silentMs: number;
  readonly thresholdMs: number;
  /** Time since the last answer of any kind, or since the connection was opened. */
  readonly lastAnswerMs: number;
  readonly probes: readonly { readonly kind: string; readonly unansweredMs: number }[];
  /** Round trip of the last probe that was answered. */
  readonly rttMs?: number | undefined;
  readonly calls: readonly CallInFlight[];
  /** Whether the server answered a probe that was sent while all `calls` were in flight. */
  readonly answeredDuringCalls: boolean;
  /** Work of the tree since the oldest unanswered probe, or since the silence began; undefined without a sample since then. */
  readonly work?: WorkDone | undefined;
}

/** @param rttMs round trip of the last probe that was answered */
export function gatherEvidence(seen: Observations, rttMs: number | undefined): Evidence {
  const { nowMs, connection, book, tree, settings } = seen;
  const { ledger, lastActivityAtMs, lastAnswerAtMs } = connection;
  const askedAtMs = book.oldestUnanswered(lastActivityAtMs)?.sentAtMs;
  return {
    silentMs: Math.round(nowMs - lastActivityAtMs),
    thresholdMs: settings.health.stallThresholdMs,
    lastAnswerMs: Math.round(nowMs - lastAnswerAtMs),
    probes: book.unansweredAt(nowMs),
    rttMs: rttMs === undefined ? undefined : Math.round(rttMs),
    calls: ledger.inFlightAt(nowMs),
    answeredDuringCalls: hasAnsweredDuringCalls(seen),
    work: tree.doneSince(askedAtMs ?? lastActivityAtMs),
  };
}
