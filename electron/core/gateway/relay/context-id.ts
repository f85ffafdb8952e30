import type { SessionFacts } from '../types.ts';

/** The context that the leases of a client's session are listed under. */
export function contextIdOf({ clientId, nonce }: Pick<SessionFacts, 'clientId' | 'nonce'>): string {
  return `gateway:${clientId}:${nonce}`;
}

/** The client as a caller of servers, whichever of its sessions calls. */
export function callerOf({ clientId }: Pick<SessionFacts, 'clientId'>): string {
  return `gateway:${clientId}`;
}
