import { isJsonObject } from '../../../../shared/json-object.ts';
import { classSlot, exclusiveSlot, ownSlot, type Slot } from '../../sessions/slot.ts';
import type { SharingDecision } from '../../sessions/sharing-mode.ts';
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
 * The slot of a client's session: one of its own where the server keeps a state, one of its class where the server was
 * learnt to ask its clients, else the server's own run. That run declares everything, so it serves the class that has
 * everything as well.
 */
export function slotOfClient(
  { mode, asksClients }: Pick<SharingDecision, 'mode' | 'asksClients'>,
  { nonce, capabilities }: Pick<SessionFacts, 'nonce' | 'capabilities'>,
): Slot {
  if (mode === 'exclusive') return exclusiveSlot(nonce, declared[capabilities]);
  if (asksClients !== true || declared[capabilities] === SHARED_CAPABILITIES) return ownSlot;
  return classSlot(capabilities, declared[capabilities]);
}

/** What holds for the further processes of a server that answers calls in turn. */
export interface SpareRule {
  /** How many sessions there must be room for beside them. */
  readonly reserve: number;
}

/** Whether clients may get further processes of the server. Those never take the room of a class of clients. */
export function sparesFor({
  hasSpares,
  asksClients,
}: Pick<SharingDecision, 'hasSpares' | 'asksClients'>): SpareRule | undefined {
  if (hasSpares !== true) return undefined;
  return asksClients === true ? CLASSES_RESERVE : NO_RESERVE;
}

const NO_RESERVE: SpareRule = { reserve: 0 };
/** Every class but the one that the server's own run serves. */
const CLASSES_RESERVE: SpareRule = { reserve: Object.keys(declared).length - 1 };
