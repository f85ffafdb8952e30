import { z } from 'zod';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** Reasons why a running server is unstable: crashes, stalls and limit breaches that ended its runs, by its history. */
const instabilitySchema = z.object({
  ends24h: z.number().int(),
  ends7d: z.number().int(),
  /** Time of the unplanned end since which the server is unstable. */
  since: epochMs,
  lastEndAt: epochMs,
});
export type Instability = z.infer<typeof instabilitySchema>;

/** Fields of a server that come from its history, over app runs. */
export const troubleFields = {
  /** Unplanned ends within the last 24 hours, after which it was restarted or given up. Undefined for none. */
  restarts24h: z.number().int().optional(),
  /** Set from three unplanned ends within 24 hours, or five within seven days, until a day passes without one. */
  unstable: instabilitySchema.optional(),
  /** Start of the trouble, over all tries and app runs since the last good run. Undefined while the server is well. */
  failingSince: epochMs.optional(),
};
