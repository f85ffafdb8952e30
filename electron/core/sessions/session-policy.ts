import { PanelError } from '../../../shared/error-codes.ts';
import { defaultPanelSettings, type PanelSettings } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { LONGEST_TIMER_MS } from '../clock.ts';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';

export type SessionMode = 'shared' | 'exclusive';

/** How the sessions of one server are kept. */
export interface SessionPolicy {
  readonly mode: SessionMode;
  readonly maxSessions: number;
  readonly idleTimeoutMs: number;
}

/** How one pool is kept now. */
export interface PoolPolicy extends SessionPolicy {
  /** How long a teardown may keep its place. */
  readonly closeTimeoutMs: number;
}

/** What the creator of a manager may set; an absent value leaves the choice to each server's settings. */
export interface SessionLimits {
  readonly maxSessions?: number | undefined;
  readonly idleTimeoutMs?: number | undefined;
}

/** A duration in milliseconds, for all servers or for each. */
export type CloseTimeout = number | ((config: ServerConfig) => number);

const DEFAULT_CLOSE_TIMEOUT_MS = 10_000;
const defaults = defaultPanelSettings.sessions;

/**
 * The policy for one server: a setting of its own that is not the default wins, then the manager's limit, then the
 * default. `auto` is `shared`: who knows better says so in `mode` of `acquire`.
 * @throws PanelError CONFIG_INVALID naming the setting: with no room or no time, a caller would wait for ever
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

/** @throws PanelError CONFIG_INVALID, also of the function that is returned */
export function closeTimeoutOf(
  setting: CloseTimeout = DEFAULT_CLOSE_TIMEOUT_MS,
): (config: ServerConfig) => number {
  const check = (valueMs: number) => checkDuration('closeTimeoutMs', valueMs);
  if (typeof setting === 'function') return (config) => check(setting(config));
  const valueMs = check(setting);
  return () => valueMs;
}

/** @throws PanelError CONFIG_INVALID naming the option, unless it is a positive duration that timers can take */
export function checkDuration(name: string, valueMs: number): number {
  if (Number.isFinite(valueMs) && valueMs > 0 && valueMs <= LONGEST_TIMER_MS) return valueMs;
  throw refusal(name, `a duration above 0 and up to ${LONGEST_TIMER_MS} ms`, valueMs);
}

/** @throws PanelError CONFIG_INVALID naming the option, unless it is a whole number of at least 1 */
export function checkCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw refusal(name, 'a whole number of at least 1', value);
}

/** @throws PanelError CONFIG_INVALID unless it is absent, 0 (do not wait) or more, Infinity included */
export function checkDeadline(valueMs: unknown): number | undefined {
  if (valueMs === undefined || (typeof valueMs === 'number' && valueMs >= 0)) return valueMs;
  throw refusal('deadlineMs', 'a duration of at least 0', valueMs);
}

/** @throws PanelError CONFIG_INVALID unless it is absent or a mode: a misspelt one must not mean the other */
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
