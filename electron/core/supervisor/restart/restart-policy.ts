import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { ErrorCode } from '../../../../shared/error-codes.ts';
import type { RandomSource } from '../../clock.ts';

export type RestartSettings = PanelSettings['restart'];
export type FailureCause = 'crash' | 'stall' | 'limit' | 'start';

/** State of the restart policy for one server between failures. Times are monotonic. */
export interface RestartHistory {
  /** Automatic starts since the last stable run; shown to the user as the restart attempt. */
  readonly attempts: number;
  /** Whether the last run lasted `stableAfterMs`, with no automatic start since. If so, the next restart has no delay. */
  readonly wasStable: boolean;
  /** Whether the last start was a slow retry, which is a later start after the panel had given up on the server. */
  readonly wasSlowRetry: boolean;
  /** Times of the automatic starts in the last hour, oldest first. */
  readonly startedAtMs: readonly number[];
  readonly sameFailure: SameFailure;
}

/** The last failure, and how often it occurred in a row since the last stable run, different failure or start by the user. */
interface SameFailure {
  readonly signature: string | undefined;
  /** Number of equal failures in a row, including the first. */
  readonly times: number;
  /** Number of equal failures that ended a slow retry. */
  readonly slowRetries: number;
}

export type RestartDecision =
  | { readonly kind: 'retry'; readonly delayMs: number; readonly attempt: number }
  | { readonly kind: 'give-up'; readonly reason: string; readonly slowRetryMs?: number };

export const freshHistory: RestartHistory = {
  attempts: 0,
  wasStable: false,
  wasSlowRetry: false,
  startedAtMs: [],
  sameFailure: { signature: undefined, times: 0, slowRetries: 0 },
};

const HOUR_MS = 3_600_000;

/** Number of equal failures after which the failure is not expected to resolve without help. */
const SAME_OFTEN = 3;
/** Longest delay of a slow retry in ms, so that a server starts again within this time once the cause is fixed. */
const LONGEST_SLOW_RETRY_MS = HOUR_MS;

/** Codes of errors that do not resolve by waiting. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'COMMAND_NOT_FOUND',
  'PERMISSION_DENIED',
  'CWD_MISSING',
  'CONFIG_INVALID',
  'AUTH_REQUIRED',
  'SIGN_IN_REQUIRED',
  'CONSENT_REQUIRED',
  'SECRET_MISSING',
  'PROTOCOL_ERA_UNSUPPORTED',
  'RUNTIME_TOO_OLD',
]);

/**
 * Decides whether and when to start again after a failure with this code. The delay before attempt n is between half and all of
 * min(max, initial × 2ⁿ). The first failure after a stable run is followed by a start without delay.
 */
export function decideRestart(
  history: RestartHistory,
  code: ErrorCode,
  settings: RestartSettings,
  nowMs: number,
  random: RandomSource,
): RestartDecision {
  if (HOPELESS.has(code)) return { kind: 'give-up', reason: 'another try would not help' };
  const slowRetryMs = Math.max(
    slowRetryDelayMs(history, settings),
    hourBudgetFreeInMs(history, settings, nowMs),
  );
  if (!settings.enabled) return { kind: 'give-up', reason: 'automatic restarts are off' };
  if (history.attempts >= settings.maxRestartAttempts) {
    const restarts = `${history.attempts} automatic ${history.attempts === 1 ? 'restart' : 'restarts'}`;
    const more = Math.max(1, history.sameFailure.slowRetries);
    const tries = !history.wasSlowRetry ? restarts : more === 1 ? 'one more try' : `${more} more tries`;
    return { kind: 'give-up', reason: `${tries} did not help`, slowRetryMs };
  }
  if (hourBudgetFreeInMs(history, settings, nowMs) > 0) {
    return {
      kind: 'give-up',
      reason: `${settings.maxPerHour} automatic restarts within an hour`,
      slowRetryMs,
    };
  }
  return { kind: 'retry', attempt: history.attempts + 1, delayMs: backoffMs(history, settings, random) };
}

/** Whether a server that the panel has given up on may start outside its schedule, as the machine has woken from sleep. */
export function allowsAutomaticStart(
  history: RestartHistory,
  settings: RestartSettings,
  nowMs: number,
): boolean {
  return settings.enabled && hourBudgetFreeInMs(history, settings, nowMs) <= 0;
}

/** Returns the delay of a slow retry in ms, which doubles after each slow retry that ended in the same failure. */
function slowRetryDelayMs({ sameFailure }: RestartHistory, { slowRetryMs }: RestartSettings): number {
  const doublings = Math.max(0, Math.min(sameFailure.slowRetries, sameFailure.times + 1 - SAME_OFTEN));
  return Math.max(slowRetryMs, Math.min(LONGEST_SLOW_RETRY_MS, slowRetryMs * 2 ** doublings));
}

function backoffMs(history: RestartHistory, settings: RestartSettings, random: RandomSource): number {
  if (history.attempts === 0 && history.wasStable) return 0;
  const ceiling = Math.min(settings.maxBackoffMs, settings.initialBackoffMs * 2 ** history.attempts);
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

/** Milliseconds until the hourly budget allows an automatic start; 0 if it allows one now. */
function hourBudgetFreeInMs(history: RestartHistory, settings: RestartSettings, nowMs: number): number {
  const recent = history.startedAtMs.filter((at) => at > nowMs - HOUR_MS);
  const oldestThatCounts = recent.at(-settings.maxPerHour);
  return oldestThatCounts === undefined ? 0 : oldestThatCounts + HOUR_MS - nowMs;
}

/** Records a failure, before the decision; `signature` is equal for failures of the same kind. */
export function afterFailure(history: RestartHistory, signature: string): RestartHistory {
  const { signature: before, times, slowRetries } = history.sameFailure;
  const sameFailure =
    signature === before
      ? { signature, times: times + 1, slowRetries: slowRetries + (history.wasSlowRetry ? 1 : 0) }
      : { signature, times: 1, slowRetries: 0 };
  return { ...history, sameFailure };
}

/** Whether the last failure is the same as before a slow retry, so that it need not be reported again. */
export function isRepeat({ sameFailure }: RestartHistory): boolean {
  return sameFailure.slowRetries > 0 && sameFailure.times >= SAME_OFTEN;
}

/** Whether to report the number of repeats: at the fourth repeat, and each time the number has doubled. */
export function isCounted({ sameFailure: { slowRetries } }: RestartHistory): boolean {
  return slowRetries >= 4 && Number.isInteger(Math.log2(slowRetries));
}

export function afterAutomaticStart(history: RestartHistory, nowMs: number): RestartHistory {
  const recent = history.startedAtMs.filter((at) => at > nowMs - HOUR_MS);
  return {
    ...history,
    attempts: history.attempts + 1,
    wasStable: false,
    wasSlowRetry: false,
    startedAtMs: [...recent, nowMs],
  };
}

/** Records a slow retry: a start after the panel gave up. It counts towards the hourly limit, but not as another attempt. */
export function afterSlowRetry(history: RestartHistory, nowMs: number): RestartHistory {
  return { ...afterAutomaticStart(history, nowMs), attempts: history.attempts, wasSlowRetry: true };
}

/** Resets the attempts once the run has lasted `stableAfterMs`; the starts still count towards the hourly budget. */
export function afterStableRun(history: RestartHistory): RestartHistory {
  const { sameFailure } = freshHistory;
  return { ...history, attempts: 0, wasStable: true, wasSlowRetry: false, sameFailure };
}
