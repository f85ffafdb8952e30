import type { CallOutcome, CallProgress } from '../../../shared/domain.ts';
import { cutText } from '../../../shared/cut-text.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerCall } from '../../../shared/ipc/topics/sessions.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { Lease } from './lease.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import type { RawResult } from '../mcp/long-message.ts';

/** Members of a lease that a call needs. */
type CallLease = Pick<Lease, 'hasEnded' | 'requestRaw' | 'release'>;

interface WindowCallsOptions {
  readonly clock: Clock;
  /** Acquires a lease. @param timeoutMs time limit of the call in ms, if it has one */
  readonly acquire: (
    contextId: string,
    name: string,
    signal: AbortSignal,
    timeoutMs: number | undefined,
  ) => Promise<CallLease>;
  readonly onProgress: (progress: CallProgress) => void;
}

/** Maximum characters of a progress message, which the window shows in one line. */
const MAX_PROGRESS_LENGTH = 1000;
const WINDOW_CONTEXT = 'window';
/**
 * Maximum number of attempts to acquire a lease. If the session ends right after each of three attempts, that is not a
 * coincidence.
 */
const MAX_ACQUIRES = 3;

/** Calls of the app window. The window chooses an id for each call, with which it follows and cancels the call. */
export class WindowCalls {
  readonly #options: WindowCallsOptions;
  readonly #progress: LatestProgress;
  /** Abort controllers of the calls in flight, by call id. */
  readonly #underWay = new Map<string, AbortController>();

  constructor(options: WindowCallsOptions) {
    this.#options = options;
    this.#progress = new LatestProgress(options.clock, options.onProgress);
  }

  /**
   * Sends a call at most once. The lease is kept for the whole call.
   * @throws PanelError PROTOCOL_ERROR (the id is in use), SERVER_ERROR (the server's own error), CANCELLED; errors of lease or
   * call
   */
  async call(call: ServerCall): Promise<CallOutcome> {
    const { callId } = call;
    if (this.#underWay.has(callId))
      throw new PanelError('PROTOCOL_ERROR', `The call id "${callId}" is in use by a call under way.`);
    const abort = new AbortController();
    this.#underWay.set(callId, abort);
    try {
      return await this.#carryOut(call, abort.signal);
    } finally {
      this.#progress.drop(callId);
      this.#underWay.delete(callId);
    }
  }

  /** Cancels a call. Has no effect if the call is not in flight. */
  cancel(callId: string): void {
    this.#underWay.get(callId)?.abort(new PanelError('CANCELLED', 'The caller cancelled the call.'));
  }

  /**
   * Acquires a lease. If its session ends before the call is sent, acquires another one, because nothing has been sent to the
   * server.
   */
  async #acquire(
    { context = WINDOW_CONTEXT, name, timeoutMs }: ServerCall,
    signal: AbortSignal,
  ): Promise<CallLease> {
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.#options.acquire(context, name, signal, timeoutMs);
      if (!lease.hasEnded || attempt === MAX_ACQUIRES) return lease;
      await lease.release();
    }
  }

  async #carryOut(call: ServerCall, signal: AbortSignal): Promise<CallOutcome> {
    const { callId, method, params, timeoutMs } = call;
    const lease = await this.#acquire(call, signal);
    try {
      const { clock } = this.#options;
      const startedAtMs = clock.now();
      const raw = await lease.requestRaw(method, params, {
        signal,
        client: WINDOW_CONTEXT,
        ...(timeoutMs !== undefined && { timeoutMs }),
        onProgress: ({ progress, total, message }) =>
          this.#progress.set({
            callId,
            progress,
            ...(total !== undefined && { total }),
            ...(message !== undefined && { message: cutText(message, MAX_PROGRESS_LENGTH, 'end').text }),
          }),
      });
      this.#progress.flush();
      const durationMs = clock.now() - startedAtMs;
      return { ...(await toShownResult(raw, signal)), durationMs };
    } finally {
      await lease.release();
    }
  }
}

/**
 * Interval of the progress reports in ms. It is short enough to look live, and bounds the number of reports, because a server
 * may send a thousand a second.
 */
const INTERVAL_MS = 30;

/** Sends progress to the window at a limited rate: at each interval, only the latest progress of each call. */
export class LatestProgress {
  readonly #clock: Clock;
  readonly #emit: (progress: CallProgress) => void;
  readonly #latest = new Map<string, CallProgress>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, emit: (progress: CallProgress) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  set(progress: CallProgress): void {
    this.#latest.set(progress.callId, progress);
    this.#timer ??= this.#clock.setTimeout(() => this.flush(), INTERVAL_MS);
  }

  /** Discards progress of a finished call that has not been sent to the window. */
  drop(callId: string): void {
    this.#latest.delete(callId);
    if (this.#latest.size === 0) this.#disarm();
  }

  /** Immediately sends all progress that has not been sent yet. */
  flush(): void {
    this.#disarm();
    const waiting = [...this.#latest.values()];
    this.#latest.clear();
    for (const progress of waiting) this.#emit(progress);
  }

  #disarm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}

/**
 * Limits of a result that is sent to the app window in one message. Each value is copied twice on its way to the window and
 * then laid out, so a million values would block the window for many seconds. A few long texts do no harm.
 */
const BOUNDS: DataBounds = {
  maxDepth: 64,
  maxEntries: 5000,
  maxValues: 20_000,
  maxTextLength: 256 * 1024,
  maxTotalLength: 1024 * 1024,
  cutTexts: 'end',
  // Images, audio and files, in base64. They are never cut; a text that does not fit is left out.
  wholeTexts: { names: ['data', 'blob'], maxTotalLength: 8 * 1024 * 1024 },
};

/**
 * Returns the result of a call for the app window, with a list of the parts that were left out. A long result is parsed in a
 * worker thread. @throws the signal's abort reason
 */
async function toShownResult(
  raw: RawResult,
  signal?: AbortSignal,
): Promise<Pick<CallOutcome, 'result' | 'leftOut'>> {
  const { value, loss } =
    raw.kind === 'long' ? await raw.message.bounded(BOUNDS, signal) : boundData(raw.result, BOUNDS);
  return { result: value, ...(loss && { leftOut: loss }) };
}
