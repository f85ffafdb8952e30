import { z } from 'zod';

/** Milliseconds since 1970. */
const epochMs = z.number();

/** What makes a server unstable although it runs: crashes, stalls and breaches of limits that ended its runs, by its history. */
const instabilitySchema = z.object({
  ends24h: z.number().int(),
  ends7d: z.number().int(),
  /** The end that made it unstable. */
  since: epochMs,
  lastEndAt: epochMs,
});
export type Instability = z.infer<typeof instabilitySchema>;

/** What the history tells of a server, over launches of the panel. */
export const troubleFields = {
  /** Unplanned ends within the last 24 hours, after which it was restarted or given up. Absent for none. */
  restarts24h: z.number().int().optional(),
  /** Present from three unplanned ends within 24 hours or five within seven days on, until a day passes without one. */
  unstable: instabilitySchema.optional(),
  /** In trouble since then, over all tries and all launches of the panel since its last good run. Absent while it is well. */
  failingSince: epochMs.optional(),
};
