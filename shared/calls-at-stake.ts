import type { CallsInFlight } from './quit-question.ts';

// It stands apart from the schema of the question, because the page counts them and takes no schemas along.

/** All calls that would be lost. */
export const callsAtStake = ({ ownCalls, clients }: CallsInFlight): number =>
  clients.reduce((sum, client) => sum + client.calls, ownCalls);
