import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import { checkMode, type SessionMode } from './session-policy.ts';

/**
 * Which connection of a server is meant; contexts that name the same one share it. `shared` is the server's own run,
 * `exclusive:<context>` a further process for that context alone.
 */
export type SlotName = 'shared' | `exclusive:${string}`;

/** A place for one session of a server at a time. */
export interface Slot {
  readonly name: SlotName;
  /**
   * What the connection declares in its handshake; by default what the panel declares everywhere. The server's own run
   * does not listen to it. The caller who opens the slot decides, so a name must always mean the same capabilities.
   */
  readonly clientCapabilities?: ClientCapabilities;
}

/** Which session of a server is wanted. */
export interface SlotChoice {
  /** Default: by `mode`. */
  readonly slot?: Slot | undefined;
  /** `shared`: one session for all contexts. `exclusive`: one for each context. Default: the server's setting. */
  readonly mode?: SessionMode | undefined;
}

/** The slot of the server's own run. */
export const ownSlot: Slot = { name: 'shared' };

/** @param contextId any text, since the prefix keeps it apart from the shared slot */
export function exclusiveSlot(contextId: string, clientCapabilities?: ClientCapabilities): Slot {
  return { name: `exclusive:${contextId}`, ...(clientCapabilities && { clientCapabilities }) };
}

/** The slot of a context that named none. */
export function slotOfMode(contextId: string, mode: SessionMode): Slot {
  return mode === 'shared' ? ownSlot : exclusiveSlot(contextId);
}

export function modeOfSlot({ name }: Slot): SessionMode {
  return name.startsWith('exclusive:') ? 'exclusive' : 'shared';
}

/** The slot that is meant. @throws PanelError CONFIG_INVALID when the slot or mode is none */
export function slotOf(contextId: string, { slot, mode }: SlotChoice, defaultMode: SessionMode): Slot {
  const chosenMode = checkMode(mode) ?? defaultMode;
  return checkSlot(slot) ?? slotOfMode(contextId, chosenMode);
}

/** @throws PanelError CONFIG_INVALID unless it is absent or a slot: a misspelt one must not open a connection of its own */
function checkSlot(value: Slot | undefined): Slot | undefined {
  const name: unknown = value?.name;
  if (value === undefined) return undefined;
  if (name === 'shared' || (typeof name === 'string' && name.startsWith('exclusive:'))) return value;
  throw new PanelError(
    'CONFIG_INVALID',
    `slot: expected "shared" or "exclusive:<context>", got ${String(name)}.`,
    { data: { path: 'slot' } },
  );
}
