import { toErrorDetail, type PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import type { LogEvent } from '../../../../shared/events.ts';
import type { Clock, Disposable, RandomSource } from '../../clock.ts';
import {
  afterAutomaticStart,
  afterFailure,
  afterSlowRetry,
  afterStableRun,
  allowsAutomaticStart,
  decideRestart,
  freshHistory,
  isCounted,
  isRepeat,
  type FailureCause,
  type RestartDecision,
  type RestartSettings,
} from './restart-policy.ts';
import type { AfterFailure, StartTrigger } from '../server-lifecycle.ts';
import type { StartPurpose } from '../start/start-line.ts';
import { isDeepStrictEqual } from 'node:util';
import { settingsBehind } from '../../../../shared/judged-settings.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';

/** Parts in which the messages of otherwise equal failures differ: paths, times and numbers. */
const changing: readonly (readonly [pattern: RegExp, placeholder: (found: string) => string])[] = [
  [/(?:[a-z]:)?[\\/][^\s'"`,;:()]*/gi, () => '/'],
  // Ids and hashes.
  [/[\w-]{8,}/g, (word) => (/\d/.test(word) ? '#' : word)],
  [/\b0x[0-9a-f]+/gi, () => '#'],
  [/\d+(?:[.,:]\d+)*/g, () => '#'],
  [/\s+/g, () => ' '],
];

/** Returns a text that is equal for failures of the same kind, with the same exit status and message. */
export function failureSignature({ code, message, data }: PanelError): string {
  const status = [data?.['exitCode'], data?.['signal']].map((part) => JSON.stringify(part) ?? '');
  const words = changing.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    message.trim(),
  );
  return [code, ...status, words].join(' ');
}

interface RestartTrackerOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly settings: () => RestartSettings;
  readonly logEvent: LogEvent;
  /** Called once the run has lasted `stableAfterMs`, which resets the attempts. */
  readonly onStable: () => void;
}

/** Restart history of one server. It is consulted after each failure, and reports every decision as an event. */
export class RestartTracker {
  readonly #options: RestartTrackerOptions;
  #history = freshHistory;
  #restartsTotal = 0;
  /** Monotonic time at which the current run came up; undefined once the run is stable, or if there is no run. */
  #unstableSinceMs: number | undefined;
  #stableTimer: Disposable | undefined;
  /** Cause of the last failure; undefined if the server has not failed. */
  #lastCause: FailureCause | undefined;

  constructor(options: RestartTrackerOptions) {
    this.#options = options;
  }

  get attempts(): number {
    return this.#history.attempts;
  }
  get restartsTotal(): number {
    return this.#restartsTotal;
  }

  get allowsAutomaticStart(): boolean {
    const { clock, settings } = this.#options;
    return allowsAutomaticStart(this.#history, settings(), clock.now());
  }

  /**
   * Returns the purpose of a start. A start that the user did not request is a retry only if the last failure was a failed
   * start. The end of a run that was up says nothing about whether the next start will succeed.
   */
  purposeOf(trigger: StartTrigger): StartPurpose {
    return trigger !== 'command' && this.#lastCause === 'start' ? 'retry' : 'automatic';
  }

  /** Records a start. Starts by the user or for a changed configuration are never limited, so they reset the whole history. */
  started(trigger: StartTrigger): void {
    if (trigger === 'command') {
      this.#history = freshHistory;
      return;
    }
    this.#restartsTotal += 1;
    const after = trigger === 'retry' ? afterAutomaticStart : afterSlowRetry;
    this.#history = after(this.#history, this.#options.clock.now());
  }

  runBegan(): void {
    this.#unstableSinceMs = this.#options.clock.now();
    this.awaitStable();
  }

  runEnded(): void {
    this.#stableTimer?.dispose();
    this.#unstableSinceMs = undefined;
  }

  /** Starts the timer for a run that is up; restarts it whenever the settings may have changed. */
  awaitStable(): void {
    this.#stableTimer?.dispose();
    if (this.#unstableSinceMs === undefined) return;
    const { clock, settings } = this.#options;
    const leftMs = this.#unstableSinceMs + settings().stableAfterMs - clock.now();
    this.#stableTimer = clock.setTimeout(() => this.#becomeStable(), Math.max(0, leftMs));
  }

  #becomeStable(): void {
    this.#unstableSinceMs = undefined;
    this.#history = afterStableRun(this.#history);
    this.#options.onStable();
  }

  /** Whether an event about this failed start would tell the user anything new. Must be called before `decide`. */
  isNewsOf(error: PanelError): boolean {
    return !isRepeat(afterFailure(this.#history, signatureOf('start', error)));
  }

  decide(cause: FailureCause, error: PanelError): AfterFailure {
    const { clock, random, settings } = this.#options;
    // The engine that runs the container is gone. The start itself waits for the engine, so it needs no delay, and the loss is
    // reported as one event for all servers of the engine.
    if (isEngineLost(error) && settings().enabled) return { kind: 'retry', delayMs: 0 };
    this.#lastCause = cause;
    this.#history = afterFailure(this.#history, signatureOf(cause, error));
    const decision = decideRestart(this.#history, error.code, settings(), clock.now(), random);
    const patient = withRetryAfter(decision, error);
    this.#log(patient, cause, error);
    return patient;
  }

  #log(decision: RestartDecision, cause: FailureCause, error: PanelError): void {
    if (decision.kind === 'retry') {
      const { delayMs, attempt } = decision;
      const maxAttempts = this.#options.settings().maxRestartAttempts;
      this.#options.logEvent('restart-scheduled', { cause, delayMs, attempt, maxAttempts });
      return;
    }
    // A failure after a successful start is always reported.
    if (cause === 'start' && isRepeat(this.#history) && !isCounted(this.#history)) return;
    const { reason, slowRetryMs } = decision;
    const { attempts, sameFailure } = this.#history;
    const repeats = sameFailure.slowRetries || undefined;
    const detail = { cause, attempts, reason, slowRetryMs, repeats };
    this.#options.logEvent('gave-up', { ...detail, ...toErrorDetail(error, 'CRASHED') });
  }
}

export const isEngineLost = ({ data }: PanelError): boolean => data?.['isEngineLost'] === true;

const signatureOf = (cause: FailureCause, error: PanelError): string => `${cause} ${failureSignature(error)}`;

/** Extends the delay to the one that a remote server requested (HTTP Retry-After). */
function withRetryAfter(decision: RestartDecision, error: PanelError): RestartDecision {
  const retryAfterMs = error.data?.['retryAfterMs'];
  if (typeof retryAfterMs !== 'number') return decision;
  if (decision.kind === 'retry') return { ...decision, delayMs: Math.max(decision.delayMs, retryAfterMs) };
  const { slowRetryMs } = decision;
  return slowRetryMs === undefined
    ? decision
    : { ...decision, slowRetryMs: Math.max(slowRetryMs, retryAfterMs) };
}

export function isJudgedAnew(
  code: ErrorCode | undefined,
  before: PanelSettings,
  after: PanelSettings,
): boolean {
  const keys = (code && settingsBehind[code]) ?? [];
  return keys.some((key) => !isDeepStrictEqual(before[key], after[key]));
}
