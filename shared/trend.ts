import { z } from 'zod';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** Lasting rise of a server's memory, based on the lowest value of each day. */
export const trendSchema = z.object({
  perDayBytes: z.number(),
  since: epochMs,
  /** Memory limit that currently applies. */
  limitBytes: z.number().optional(),
  /**
   * Time at which the memory will reach the limit at this rate; `limitFrom` and `limitTo` are the range of the estimate.
   * Undefined if the memory has already reached the limit.
   */
  limitAt: epochMs.optional(),
  limitFrom: epochMs.optional(),
  limitTo: epochMs.optional(),
  confidence: z.enum(['clear', 'likely']),
  /** Hour of the day, in local time, in which a restart would lose the fewest calls. Undefined if no hour is quiet. */
  bestHour: z
    .object({
      hour: z.number().int().min(0).max(23),
      /** Number of days without any client's call in that hour; `days` is the number of days on which the server ran in it. */
      quietDays: z.number().int(),
      days: z.number().int(),
    })
    .optional(),
});
export type Trend = z.infer<typeof trendSchema>;
