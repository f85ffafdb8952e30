import { callsInTime, overdueDeadlines, type Observations } from './gather-facts.ts';

/** Factor by which the interval between probes of an idle server is longer. */
const IDLE_FACTOR = 6;

/** Whether to send a probe now. @param lastProbeAtMs time of the last probe; -Infinity when none was sent */
export function isProbeDue(seen: Observations, lastProbeAtMs: number): boolean {
  const { nowMs, time, connection, settings, book } = seen;
  const { probeIntervalMs } = settings.health;
  const isDoubtful = book.isAnyOutstanding || connection.ledger.size > 0;
  const dueMs = isDoubtful ? probeIntervalMs : probeIntervalMs * IDLE_FACTOR;
  const sinceMs = nowMs - Math.max(connection.lastActivityAtMs, lastProbeAtMs, time.windowStartMs);
  return sinceMs >= dueMs || isOverdueUnasked(seen) || isAnswerMissed(seen, lastProbeAtMs);
}

/** Whether every deadline has passed and no probe is pending. */
function isOverdueUnasked(seen: Observations): boolean {
  return overdueDeadlines(seen).length > 0 && callsInTime(seen) === 0 && !seen.book.isAnyOutstanding;
}

/**
 * Whether a probe is due because the server has answered nothing for too long. Other messages are no answers: a part of the
 * server that still runs may send them although another part is dead. So a server that is idle or has overdue calls is probed
 * after that time, even while others keep calling it.
 */
function isAnswerMissed(seen: Observations, lastProbeAtMs: number): boolean {
  const { nowMs, time, connection, settings, book } = seen;
  const { lastAnswerAtMs } = connection;
  if (!book.isProven) return false;
  const isOverdue = overdueDeadlines(seen).length > 0;
  if (callsInTime(seen) > 0 && !isOverdue) return false;
  const isOwed = isOverdue || book.owedSince(lastAnswerAtMs) !== undefined;
  const dueMs = settings.health.probeIntervalMs * (isOwed ? 1 : IDLE_FACTOR);
  return nowMs - Math.max(lastAnswerAtMs, lastProbeAtMs, time.windowStartMs) >= dueMs;
}
