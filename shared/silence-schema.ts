import { z } from 'zod';
import type { Silence } from './silence.ts';

/** Schema, separate from the text of a silence, because the page shows the text but must not load schemas. */
export const silenceSchema = z.object({
  what: z.enum(['no-answer', 'overdue', 'stopped']),
  forMs: z.number(),
  isDuringCall: z.literal(true).optional(),
  work: z.enum(['computing', 'unseen']).optional(),
}) satisfies z.ZodType<Silence>;
