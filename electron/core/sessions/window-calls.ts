import type { CallOutcome, CallProgress } from '../../../shared/domain.ts';
import { cutText } from '../../../shared/cut-text.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerCall } from '../../../shared/ipc/topics/sessions.ts';
import type { Clock, Disposable } from '../clock.ts';
import type { Lease } from './lease.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import type { RawResult } from '../mcp/long-message.ts';

/** What a call needs of a lease. */
type CallLease = Pick<Lease, 'hasEnded' | 'requestRaw' | 'release'>;

export interface WindowCallsOptions {
  readonly clock: Clock;
  /** @param timeoutMs of the call, where it has one of its own */
  readonly acquire: (
    contextId: string,
    name: string,
    signal: AbortSignal,
    timeoutMs: number | undefined,
  ) => Promise<CallLease>;
  readonly onProgress: (progress: CallProgress) => void;
}

/** Of the words that come with progress: one line. */
const MAX_PROGRESS_LENGTH = 1000;
const WINDOW_CONTEXT = 'window';
/** More ends of sessions in a row than this are no coincidence. */
const MAX_ACQUIRES = 3;

/** The calls that the window makes: each under an id of the window's choice, to be followed and cancelled by. */
export class WindowCalls {
  readonly #options: WindowCallsOptions;
  readonly #progress: LatestProgress;
  /** By call id. */
  readonly #underWay = new Map<string, AbortController>();

  constructor(options: WindowCallsOptions) {
    this.#options = options;
    this.#progress = new LatestProgress(options.clock, options.onProgress);
  }

  /**
   * Sent once at most. The lease is held for as long as the call takes.
   * @throws PanelError PROTOCOL_ERROR (the id is in use), SERVER_ERROR (the server's own error), CANCELLED, or what became of lease or call
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

  /** Nothing happens when no such call is under way. */
  cancel(callId: string): void {
    this.#underWay.get(callId)?.abort(new PanelError('CANCELLED', 'The caller cancelled the call.'));
  }

  /** A session may end between the lease and the call. Nothing was sent then, so another one may be asked for. */
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

/** The interval is short enough to look live, and bounded because a server may report a thousand times a second. */
const INTERVAL_MS = 30;

/** Passes on the newest progress of each call, all calls together and not too often. */
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

  /** The call is over: what it reported last is of no use any more. */
  drop(callId: string): void {
    this.#latest.delete(callId);
    if (this.#latest.size === 0) this.#disarm();
  }

  /** Passes on what waits, now. */
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
 * What the window can take at once. Each value is copied twice on its way there and becomes part of its layout, so that
 * a million of them stop it for many seconds; a few long texts do no harm.
 */
const BOUNDS: DataBounds = {
  maxDepth: 64,
  maxEntries: 5000,
  maxValues: 20_000,
  maxTextLength: 256 * 1024,
  maxTotalLength: 1024 * 1024,
  cutTexts: 'end',
  // Pictures, sounds and files, in base64.
  wholeTexts: { names: ['data', 'blob'], maxTotalLength: 8 * 1024 * 1024 },
};

/**
 * The result of a call as the window is shown it, and what it lacks. A long one is read in a thread of its own.
 * @throws what the signal was aborted with
 */
async function toShownResult(
  raw: RawResult,
  signal?: AbortSignal,
): Promise<Pick<CallOutcome, 'result' | 'leftOut'>> {
  const { value, loss } =
    raw.kind === 'long' ? await raw.message.bounded(BOUNDS, signal) : boundData(raw.result, BOUNDS);
  return { result: value, ...(loss && { leftOut: loss }) };
}
