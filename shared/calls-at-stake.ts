import type { CallsInFlight } from './quit-question.ts';

// This is in a separate file from the schema in quit-question.ts, because the page needs the count but must not load schemas.

/** Number of calls in flight that quitting would lose. */
export const callsAtStake = ({ ownCalls, clients }: CallsInFlight): number =>
  clients.reduce((sum, client) => sum + client.calls, ownCalls);
