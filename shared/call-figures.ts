import { z } from 'zod';

/** Outcomes of a call for its caller. `lost`: neither side decided the outcome, for example because the connection ended. */
export const callOutcomes = ['result', 'error', 'timeout', 'cancelled', 'lost'] as const;
export type CountedOutcome = (typeof callOutcomes)[number];

const ms = z.number().min(0);
const count = z.number().int();

/**
 * Calls that ended within one minute. `errors` counts errors from the server, passed deadlines and lost connections. A
 * cancelled call counts as a call but not as an error. Minutes without calls are omitted.
 */
export const callMinuteSchema = z.object({
  /** Start of the minute: epoch milliseconds, a multiple of 60 000. */
  at: z.number(),
  calls: count,
  errors: count,
  /**
   * Durations of calls that were answered or passed their deadline. p50 and p95 are exact to 2.5 %, or to 0.1 ms if that is
   * more; `maxMs` is exact. Undefined if every call was cancelled or lost, because such calls do not show the server's response
   * time.
   */
  durations: z.object({ p50Ms: ms, p95Ms: ms, maxMs: ms }).optional(),
});
export type CallMinute = z.infer<typeof callMinuteSchema>;

/** Calls that ended within the last minute. The length of that minute is exact to 5 seconds. */
export const recentCallsSchema = z.object({ calls: count, errors: count });
export type RecentCalls = z.infer<typeof recentCallsSchema>;

/**
 * Number of calls in flight, and the oldest of them: method and name, such as `tools/call echo`. `silentMs` is the time since
 * the server's last message, if it exceeds the silence allowed to an idle server.
 */
export const busySchema = z.object({
  calls: z.number().int(),
  oldestMs: z.number(),
  oldest: z.string().optional(),
  silentMs: z.number().optional(),
});

/**
 * Number of calls past their deadlines. `what` is the server's activity since those deadlines: none (`silent`), work
 * (`computing`), work that the panel cannot see (`unseen`), or only answers to health checks (`answers-checks`).
 */
export const overdueSchema = z.object({
  calls: count,
  what: z.enum(['silent', 'computing', 'unseen', 'answers-checks']),
});
