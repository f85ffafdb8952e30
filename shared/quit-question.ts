import { z } from 'zod';

const calls = z.number().int();

/** Calls in flight that quitting, or stopping all servers, would lose now. */
export const quitQuestionSchema = z.object({
  before: z.enum(['quit', 'stop-all']),
  /** Number of calls made in the app window. */
  ownCalls: calls,
  /** Calls of gateway clients, by the names that the user gave them. */
  clients: z.array(z.object({ name: z.string(), calls })),
});
export type QuitQuestion = z.infer<typeof quitQuestionSchema>;
export type CallsInFlight = Omit<QuitQuestion, 'before'>;
