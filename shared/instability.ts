import { z } from 'zod';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** Reasons why a running server is unstable: crashes, stalls and limit breaches that ended its runs, according to its history. */
const instabilitySchema = z.object({
  ends24h: z.number().int(),
  ends7d: z.number().int(),
  /** Time of the unplanned end that made the server unstable. */
  since: epochMs,
  lastEndAt: epochMs,
});
export type Instability = z.infer<typeof instabilitySchema>;

/** Fields of a server that are derived from its history and span app runs. */
export const troubleFields = {
  /** Number of unplanned ends in the last 24 hours that led to a restart or to giving up the server; undefined if none. */
  restarts24h: z.number().int().optional(),
  /**
   * Present after three unplanned ends within 24 hours, or five within seven days, until a day passes without an unplanned end.
   */
  unstable: instabilitySchema.optional(),
  /** Start of the trouble: it covers all attempts and app runs since the last good run. Undefined while the server is well. */
  failingSince: epochMs.optional(),
};
