import { z } from 'zod';

const calls = z.number().int();

/** What quitting, or stopping all servers, would lose now: calls that wait for their answer. */
export const quitQuestionSchema = z.object({
  before: z.enum(['quit', 'stop-all']),
  /** Calls that were made in the window. */
  ownCalls: calls,
  /** Calls of clients of the endpoint, by the names that the person gave them. */
  clients: z.array(z.object({ name: z.string(), calls })),
});
export type QuitQuestion = z.infer<typeof quitQuestionSchema>;
export type CallsInFlight = Omit<QuitQuestion, 'before'>;
