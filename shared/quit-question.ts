import { z } from 'zod';

const calls = z.number().int();

/** Calls in flight that would be lost if the user quit the app, or stopped all servers, now. */
export const quitQuestionSchema = z.object({
  before: z.enum(['quit', 'stop-all']),
  /** Number of calls that were made in the app window. */
  ownCalls: calls,
  /** Number of calls of each gateway client. `name` is the name that the user gave the client. */
  clients: z.array(z.object({ name: z.string(), calls })),
});
export type QuitQuestion = z.infer<typeof quitQuestionSchema>;
export type CallsInFlight = Omit<QuitQuestion, 'before'>;
