import { exclusiveSlot, ownSlot, type Slot } from '../../sessions/session-policy.ts';
import type { SharingDecision } from '../../sessions/sharing/sharing.ts';
import type { CapabilityClass, SessionFacts } from '../types.ts';
import { ownValue } from '../../../../shared/own-value.ts';

type ClientCapabilities = NonNullable<Slot['clientCapabilities']>;

const declared = {
  plain: {},
  elicitation: { elicitation: {} },
  sampling: { sampling: {} },
  'elicitation+sampling': { elicitation: {}, sampling: {} },
} as const satisfies Record<CapabilityClass, ClientCapabilities>;

/** Capability that each kind of server request needs. `roots/list` is missing: servers are never offered clients' folders. */
const asks: Readonly<Record<string, 'elicitation' | 'sampling'>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
};

/**
 * Client capabilities declared to a server's main instance, on behalf of all clients that share it. They never include `roots`,
 * because some servers would replace the folders of their own command line with those of a client.
 */
export const SHARED_CAPABILITIES: ClientCapabilities = declared['elicitation+sampling'];

/** True if a request with this method may be sent to clients of the class. */
export function canBeAsked(capabilities: CapabilityClass, method: string): boolean {
  const wanted = ownValue(asks, method);
  return wanted !== undefined && Object.hasOwn(declared[capabilities], wanted);
}

/**
 * Returns the slot (connection) for a client's session: the server's main instance if clients can share it, otherwise a replica
 * for this session. If the panel has observed the server sending requests to clients, sessions that began before that stay at
 * the main instance, because their state is there.
 * @param askedSince time of the server's first request to a client, in epoch milliseconds
 */
export function slotOfClient(
  { mode, reason }: Pick<SharingDecision, 'mode' | 'reason'>,
  { nonce, capabilities, issuedAt = 0 }: Pick<SessionFacts, 'nonce' | 'capabilities' | 'issuedAt'>,
  askedSince: number,
): Slot {
  if (mode === 'shared' || (reason === 'learnt' && issuedAt < askedSince)) return ownSlot;
  return exclusiveSlot(nonce, declared[capabilities]);
}
