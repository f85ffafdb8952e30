import { callsInTime, overdueDeadlines, type Observations } from './gather-facts.ts';

/** Idle servers are asked less often. */
const IDLE_FACTOR = 6;

/** Whether a server is asked now. @param lastProbeAtMs when it was last asked; -Infinity before the first time */
export function isProbeDue(seen: Observations, lastProbeAtMs: number): boolean {
  const { nowMs, time, connection, settings, book } = seen;
  const { probeIntervalMs } = settings.health;
  const isDoubtful = book.isAnyOutstanding || connection.ledger.size > 0;
  const dueMs = isDoubtful ? probeIntervalMs : probeIntervalMs * IDLE_FACTOR;
  const sinceMs = nowMs - Math.max(connection.lastActivityAtMs, lastProbeAtMs, time.windowStartMs);
  return sinceMs >= dueMs || isOverdueUnasked(seen) || isAnswerMissed(seen, lastProbeAtMs);
}

/** Every deadline has passed, and no question is open. */
function isOverdueUnasked(seen: Observations): boolean {
  return overdueDeadlines(seen).length > 0 && callsInTime(seen) === 0 && !seen.book.isAnyOutstanding;
}

/**
 * Messages are no answers: a part that lives on may send them beside a dead one. So a server with nothing else to do,
 * or with calls overdue, is asked once an answer has not been heard for as long as silence may last; so it is while others call on.
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
