import { z } from 'zod';
import type { Silence } from './silence.ts';

/**
 * Schema of a `Silence`. It is separate from the texts about silences, because the page shows the texts but must not load
 * schemas.
 */
export const silenceSchema = z.object({
  what: z.enum(['no-answer', 'overdue', 'stopped', 'paused']),
  forMs: z.number(),
  isDuringCall: z.literal(true).optional(),
  work: z.enum(['computing', 'unseen']).optional(),
}) satisfies z.ZodType<Silence>;
