import { PanelError } from '../../../shared/error-codes.ts';
import { defaultPanelSettings, type PanelSettings } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { LONGEST_TIMER_MS } from '../clock.ts';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

export type SessionMode = 'shared' | 'exclusive';

/** Limits and mode of the sessions of one server. */
interface SessionPolicy {
  readonly mode: SessionMode;
  readonly maxSessions: number;
  readonly idleTimeoutMs: number;
}

/** Policy of one pool, which contains the sessions of one server. */
export interface PoolPolicy extends SessionPolicy {
  /** Maximum milliseconds for which a session that is being torn down still counts toward `maxSessions`. */
  readonly closeTimeoutMs: number;
}

/** Limits set by the creator of a session manager. They apply to servers whose own setting is the default. */
export interface SessionLimits {
  readonly maxSessions?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
}

/** Duration in milliseconds: one for all servers, or a function that returns it for each. */
export type CloseTimeout = number | ((config: ServerConfig) => number);

const DEFAULT_CLOSE_TIMEOUT_MS = 10_000;
const defaults = defaultPanelSettings.sessions;

/**
 * Returns the policy for one server. The server's own setting is used if it differs from the default, otherwise the manager's
 * limit, otherwise the default. `auto` is treated as `shared`; a caller that knows which mode the server needs passes `mode` to
 * `acquire`.
 * @throws PanelError CONFIG_INVALID naming the setting, because with a limit of 0 a caller would wait forever
 */
export function sessionPolicy(
  own: Partial<PanelSettings['sessions']> = {},
  limits: SessionLimits = {},
): SessionPolicy {
  const { mode, maxSessions, idleTimeoutMs } = { ...defaults, ...own };
  return {
    mode: mode === 'exclusive' ? 'exclusive' : 'shared',
    maxSessions:
      maxSessions === defaults.maxSessions
        ? (limits.maxSessions ?? maxSessions)
        : checkCount('sessions.maxSessions', maxSessions),
    idleTimeoutMs:
      idleTimeoutMs === defaults.idleTimeoutMs
        ? (limits.idleTimeoutMs ?? idleTimeoutMs)
        : checkDuration('sessions.idleTimeoutMs', idleTimeoutMs),
  };
}

/**
 * Returns a function that returns the time limit for tearing down a session of a server, in ms. @throws PanelError
 * CONFIG_INVALID, also in the returned function
 */
export function closeTimeoutOf(
  setting: CloseTimeout = DEFAULT_CLOSE_TIMEOUT_MS,
): (config: ServerConfig) => number {
  const check = (valueMs: number) => checkDuration('closeTimeoutMs', valueMs);
  if (typeof setting === 'function') return (config) => check(setting(config));
  const valueMs = check(setting);
  return () => valueMs;
}

/**
 * Checks and returns a duration. @throws PanelError CONFIG_INVALID naming the option, unless the duration is positive and fits
 * a timer
 */
export function checkDuration(name: string, valueMs: number): number {
  if (Number.isFinite(valueMs) && valueMs > 0 && valueMs <= LONGEST_TIMER_MS) return valueMs;
  throw refusal(name, `a duration above 0 and up to ${LONGEST_TIMER_MS} ms`, valueMs);
}

/**
 * Checks and returns a count. @throws PanelError CONFIG_INVALID naming the option, unless the count is an integer of at least 1
 */
export function checkCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw refusal(name, 'a whole number of at least 1', value);
}

/**
 * Checks and returns a deadline. @throws PanelError CONFIG_INVALID unless the deadline is undefined, 0 (do not wait) or more,
 * Infinity included
 */
export function checkDeadline(valueMs: unknown): number | undefined {
  if (valueMs === undefined || (typeof valueMs === 'number' && valueMs >= 0)) return valueMs;
  throw refusal('deadlineMs', 'a duration of at least 0', valueMs);
}

/**
 * Checks and returns the mode. @throws PanelError CONFIG_INVALID unless it is undefined or a mode, because a misspelt mode must
 * not silently count as the other one
 */
function checkMode(value: unknown): SessionMode | undefined {
  if (value === undefined || value === 'shared' || value === 'exclusive') return value;
  throw refusal('mode', '"shared" or "exclusive"', value);
}

function refusal(name: string, expected: string, got: unknown): PanelError {
  return new PanelError('CONFIG_INVALID', `${name}: expected ${expected}, got ${String(got)}.`, {
    data: { path: name },
  });
}

/**
 * Name of a slot (a connection of a server that contexts can share). `shared` is the connection to the server's main instance,
 * `exclusive:<context>` the connection to a replica for one context only.
 */
export type SlotName = 'shared' | `exclusive:${string}`;

/**
 * Connection of a server that contexts can share: to the main instance, or to a replica. A slot has at most one session at a
 * time.
 */
export interface Slot {
  readonly name: SlotName;
  /**
   * Capabilities that the connection declares in `initialize`; the panel's usual ones if undefined. The main instance ignores
   * them. The caller that opens the slot decides for all later ones, so every use of a slot name must pass the same
   * capabilities.
   */
  readonly clientCapabilities?: ClientCapabilities;
}

/** Tells which session of a server a context gets: by slot, or by sharing mode. */
export interface SlotChoice {
  /** Slot to use. Default: the slot that follows from `mode`. */
  readonly slot?: Slot | undefined;
  /** Sharing mode. `shared`: one session for all contexts. `exclusive`: one for each context. Default: the server's setting. */
  readonly mode?: SessionMode | undefined;
}

/** The slot of the server's main instance. */
export const ownSlot: Slot = { name: 'shared' };

/**
 * Returns the slot for a context's own replica. @param contextId any text, even `shared`, because the slot's name has a prefix
 */
export function exclusiveSlot(contextId: string, clientCapabilities?: ClientCapabilities): Slot {
  return { name: `exclusive:${contextId}`, ...(clientCapabilities && { clientCapabilities }) };
}

/** Returns the slot of a context that chose only a mode. */
export function slotOfMode(contextId: string, mode: SessionMode): Slot {
  return mode === 'shared' ? ownSlot : exclusiveSlot(contextId);
}

export function modeOfSlot({ name }: Slot): SessionMode {
  return name.startsWith('exclusive:') ? 'exclusive' : 'shared';
}

/** Returns the chosen slot. @throws PanelError CONFIG_INVALID when the slot or mode is invalid */
export function slotOf(contextId: string, { slot, mode }: SlotChoice, defaultMode: SessionMode): Slot {
  const chosenMode = checkMode(mode) ?? defaultMode;
  return checkSlot(slot) ?? slotOfMode(contextId, chosenMode);
}

/**
 * Checks and returns the slot. @throws PanelError CONFIG_INVALID unless it is undefined or valid, because a misspelt name must
 * not open a separate connection
 */
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
