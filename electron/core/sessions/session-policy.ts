import { PanelError } from '../../../shared/error-codes.ts';
import { defaultPanelSettings, type PanelSettings } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { LONGEST_TIMER_MS } from '../clock.ts';

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
export function checkMode(value: unknown): SessionMode | undefined {
  if (value === undefined || value === 'shared' || value === 'exclusive') return value;
  throw refusal('mode', '"shared" or "exclusive"', value);
}

function refusal(name: string, expected: string, got: unknown): PanelError {
  return new PanelError('CONFIG_INVALID', `${name}: expected ${expected}, got ${String(got)}.`, {
    data: { path: name },
  });
}
