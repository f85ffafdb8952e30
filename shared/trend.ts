import { z } from 'zod';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** Lasting rise of a server's memory, by the lowest value of each day. */
export const trendSchema = z.object({
  perDayBytes: z.number(),
  since: epochMs,
  /** Memory limit in force. */
  limitBytes: z.number().optional(),
  /** Time at which the memory reaches the limit at this pace, and the range of it. Undefined when it is there already. */
  limitAt: epochMs.optional(),
  limitFrom: epochMs.optional(),
  limitTo: epochMs.optional(),
  confidence: z.enum(['clear', 'likely']),
  /** Hour of the day, in local time, in which the fewest calls would be lost. Undefined if no hour is quiet. */
  bestHour: z
    .object({
      hour: z.number().int().min(0).max(23),
      /** Number of days on which nobody called in that hour, of the days on which the server ran then. */
      quietDays: z.number().int(),
      days: z.number().int(),
    })
    .optional(),
});
export type Trend = z.infer<typeof trendSchema>;
