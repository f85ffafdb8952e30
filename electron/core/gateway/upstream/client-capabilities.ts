import { isJsonObject } from '../../../../shared/json-object.ts';
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

/** What clients can be asked, by the method that asks. `roots/list` is none: no class of clients has folders here. */
const asks: Readonly<Record<string, 'elicitation' | 'sampling'>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
};

/**
 * What a server's own run is told that it may ask, for whoever shares it. Never `roots`, because some servers replace the
 * folders of their own command line by those of a client.
 */
export const SHARED_CAPABILITIES: ClientCapabilities = declared['elicitation+sampling'];

/** The class of a client by what it declared in its `initialize`. */
export function classOf(capabilities: unknown): CapabilityClass {
  const has = (name: 'elicitation' | 'sampling'): boolean =>
    isJsonObject(capabilities) && isJsonObject(capabilities[name]);
  if (has('elicitation')) return has('sampling') ? 'elicitation+sampling' : 'elicitation';
  return has('sampling') ? 'sampling' : 'plain';
}

/** Whether clients of the class may be asked with this method. */
export function canBeAsked(capabilities: CapabilityClass, method: string): boolean {
  const wanted = ownValue(asks, method);
  return wanted !== undefined && Object.hasOwn(declared[capabilities], wanted);
}

/**
 * The slot of a client's session: one of its own where the server keeps a state, else the server's own run. A session that
 * began before the server was learnt to ask its clients stays where its state is.
 * @param askedSince epoch milliseconds of the first time that the server asked
 */
export function slotOfClient(
  { mode, reason }: Pick<SharingDecision, 'mode' | 'reason'>,
  { nonce, capabilities, issuedAt = 0 }: Pick<SessionFacts, 'nonce' | 'capabilities' | 'issuedAt'>,
  askedSince: number,
): Slot {
  if (mode === 'shared' || (reason === 'learnt' && issuedAt < askedSince)) return ownSlot;
  return exclusiveSlot(nonce, declared[capabilities]);
}
