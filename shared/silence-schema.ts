import { z } from 'zod';
import type { Silence } from './silence.ts';

/** Apart from the words of a silence, because the page says those and has no schemas. */
export const silenceSchema = z.object({
  what: z.enum(['no-answer', 'overdue', 'stopped']),
  forMs: z.number(),
  isDuringCall: z.literal(true).optional(),
  work: z.enum(['computing', 'unseen']).optional(),
}) satisfies z.ZodType<Silence>;
