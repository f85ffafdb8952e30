import { z } from 'zod';

/** How a call ended for its caller: `lost` when neither side decided it, such as by the end of the connection. */
export const callOutcomes = ['result', 'error', 'timeout', 'cancelled', 'lost'] as const;
export type CountedOutcome = (typeof callOutcomes)[number];

const ms = z.number().min(0);
const count = z.number().int();

/**
 * The calls that ended within one minute. Errors are a server's error, a passed deadline and a lost connection; what was
 * cancelled is a call and no error. A minute without calls is left out.
 */
export const callMinuteSchema = z.object({
  /** When the minute begins: epoch milliseconds, a multiple of 60 000. */
  at: z.number(),
  calls: count,
  errors: count,
  /**
   * How long calls took that were answered or ran into their deadline, p50 and p95 to 2.5 %, or to 0.1 ms where that is
   * more; `maxMs` exact. Absent where every call was cancelled or lost, because these say nothing of the server's time.
   */
  durations: z.object({ p50Ms: ms, p95Ms: ms, maxMs: ms }).optional(),
});
export type CallMinute = z.infer<typeof callMinuteSchema>;

/** Calls that ended within the last minute, to 5 seconds. */
export const recentCallsSchema = z.object({ calls: count, errors: count });
export type RecentCalls = z.infer<typeof recentCallsSchema>;

/**
 * Calls under way, and the oldest of them: method and name, such as `tools/call echo`. `silentMs` since its last
 * message, where that is longer than it may be silent with nothing to do.
 */
export const busySchema = z.object({
  calls: z.number().int(),
  oldestMs: z.number(),
  oldest: z.string().optional(),
  silentMs: z.number().optional(),
});

/** Calls past their deadlines, and what the server did since: nothing, work, work that nobody sees, or answers to checks alone. */
export const overdueSchema = z.object({
  calls: count,
  what: z.enum(['silent', 'computing', 'unseen', 'answers-checks']),
});
