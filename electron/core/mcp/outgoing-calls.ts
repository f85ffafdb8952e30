import { OpenSet } from '../open-map.ts';
import type { PanelError } from '../../../shared/error-codes.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock } from '../clock.ts';
import { AbsenceCount, type Absence } from '../absence.ts';
import { Deadline, toleratedLatenessMs } from '../deadline.ts';
import { Emitter } from '../emitter.ts';
import {
  callError,
  cancelledByCaller,
  cancelledByServer,
  outcomeOf,
  TIMED_OUT,
  timedOut,
  type CountedOutcome,
} from './call-errors.ts';
import type { CallLedger } from './call-ledger.ts';
import {
  callerDeadlineOf,
  type Caller,
  type CallLimits,
  type CallTerms,
  type OpenCall,
} from './open-call.ts';
import type { RawResult } from './long-message.ts';
import type { RpcPeer, ServerProgress } from './rpc-peer.ts';
import { SoleOwner } from './sole-owner.ts';
import { excuse } from '../wait-times.ts';
import { unlessAborted, type Cancellable } from '../wait.ts';

interface OutgoingCallsOptions {
  readonly clock: Clock;
  readonly peer: RpcPeer;
  readonly ledger: CallLedger;
  /** Returns the limits of a call. They are read for each call, so that a changed setting applies to the next call. */
  readonly limits: () => CallLimits;
  /** Returns the reason why the connection ended; called only after its end. */
  readonly endError: () => PanelError;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Used instead of `signal`. Only `requestRaw` supports it. */
  readonly cancellation?: Cancellable;
  /** Maximum milliseconds without progress that this caller waits. Overrides the timeout in the settings. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: ServerProgress) => void;
  /** True if the panel sends the request for its own purposes. Such a request has no caller and is not counted as a call. */
  readonly isOwnQuestion?: true;
  /** True for a health check that the user started. Its end is not reported to `onCallEnded` listeners. */
  readonly isCheck?: true;
  /** Who makes the call: the name of a client, or `window` for the app window. */
  readonly client?: string | undefined;
}

/** Outcome of a sent call, reported when its caller stops waiting. */
export interface CallResult {
  readonly method: string;
  /** Name of the tool or prompt, if the method has one. */
  readonly target: string | undefined;
  /** Milliseconds from sending the call to the end of the caller's wait. */
  readonly durationMs: number;
  readonly outcome: CountedOutcome;
  /** True if the panel sent the call for its own purposes, without a caller. */
  readonly isOwnQuestion: boolean;
}

/** A request that has been sent. */
interface Asked {
  /** Entry in the call ledger. Undefined for a probe (a health check of the panel), and if the connection has ended. */
  readonly call?: OpenCall | undefined;
  readonly answer: Promise<RawResult>;
}

const ignore = () => undefined;
/** Client name of calls that come from the app window. */
const OF_THE_WINDOW = 'window';

/**
 * Requests to one server. Each call is recorded in the ledger of unfinished calls, has a deadline, and is reported when it
 * ends.
 */
export class OutgoingCalls {
  readonly #options: OutgoingCallsOptions;
  readonly #beforeCall = new SoleOwner<() => Promise<void> | undefined>('what calls wait for');
  readonly #callEnds = new Emitter<CallResult>();
  /**
   * Calls whose callers still wait. The calls share one deadline timer, because a timer for each would cost more than
   * everything else that a waiting call needs.
   */
  readonly #awaited = new OpenSet<OpenCall>();
  readonly #deadline: Deadline;
  /** For each awaited call, the periods in which the panel itself did not run, if there were any. */
  readonly #absences = new WeakMap<OpenCall, AbsenceCount>();
  /** Number of calls that still wait for the `onBeforeCall` hook and are therefore not in the ledger yet. */
  #held = 0;
  #lastUseAtMs: number;

  constructor(options: OutgoingCallsOptions) {
    this.#options = options;
    this.#lastUseAtMs = options.clock.now();
    this.#deadline = new Deadline({
      clock: options.clock,
      dueAtMs: () => this.#least(callerDeadlineOf),
      limitMs: () => this.#least(limitOf),
      onAbsent: (absence) => this.#excuse(absence),
      onPassed: () => this.#passed(),
    });
  }

  /** True if a call of a client or of the app window is unanswered or waits to be sent. */
  get isInUse(): boolean {
    return this.#held > 0 || this.#options.ledger.calls.some(({ caller }) => caller.by !== 'panel');
  }
  /**
   * Monotonic time at which the last call that needs the running server was made or ended; before the first such call, the time
   * of construction.
   */
  get lastUseAtMs(): number {
    return this.#lastUseAtMs;
  }

  /**
   * Sets the hook that every call waits for before it is sent. Only one hook can be set. Returns a function that removes it.
   * @throws Error if there is one already
   */
  onBeforeCall(hold: () => Promise<void> | undefined): () => void {
    return this.#beforeCall.take(hold);
  }

  /** Subscribes to calls for which the caller has stopped waiting. Returns the unsubscribe function. */
  onCallEnded(listener: (end: CallResult) => void): () => void {
    return this.#callEnds.subscribe(listener);
  }

  /** Passes a request to the transport before it returns. A result that is too long to parse is returned as raw bytes. */
  ask(
    method: string,
    params: Record<string, unknown> | undefined,
    terms: CallTerms | 'probe',
    onProgress?: (progress: ServerProgress) => void,
    caller?: Caller,
  ): Asked {
    const { peer, ledger, clock, endError } = this.#options;
    const request = peer.compose(method, params, onProgress !== undefined);
    if (!request) return { answer: Promise.reject(endError()) };
    const call = ledger.sent(request, clock.now(), terms, caller);
    return { call, answer: peer.ask(request, onProgress) };
  }

  /** Sends a call and returns its result, unparsed if it is long; see `McpConnection.requestRaw`. */
  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions,
  ): Promise<RawResult> {
    const { cancellation, signal = cancellation, isOwnQuestion: isOwn = false } = options;
    const held = this.#beforeCall.current?.();
    // If the caller cancels while the hook runs, the call is rejected immediately and nothing is sent.
    if (isUse(method, isOwn)) this.#lastUseAtMs = this.#options.clock.now();
    if (held) {
      this.#held += 1;
      await unlessAborted(held, signal).finally(() => (this.#held -= 1));
    }
    if (signal?.aborted) throw cancelledByCaller(method, signal.reason);
    const allowed = termsOf(this.#options.limits(), options.timeoutMs);
    const terms = options.isCheck ? { ...allowed, isCheck: true } : allowed;
    const onProgress = options.onProgress ?? ignore;
    const { call, answer } = this.ask(method, params, terms, onProgress, callerOf(options));
    const onAbort = () => call && this.#cut(call, signal?.reason, messageOf(signal?.reason));
    if (call) {
      this.#awaited.add(call);
      this.#deadline.joined(limitOf(call));
      signal?.addEventListener('abort', onAbort, { once: true });
    }
    let outcome: CountedOutcome = 'result';
    try {
      return await answer;
    } catch (error) {
      const failure = signal?.aborted ? cancelledByCaller(method, error) : callError(error, method);
      outcome = outcomeOf(failure);
      throw failure;
    } finally {
      if (call) {
        this.#awaited.delete(call);
        signal?.removeEventListener('abort', onAbort);
        if (!options.isCheck) this.#ended(call, outcome, isOwn);
      }
    }
  }

  /** Sends a notification to the server. @throws any error of the transport */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    const { ledger, clock, peer } = this.#options;
    const message = { jsonrpc: '2.0' as const, method, ...(params && { params }) };
    ledger.sent(message, clock.now(), 'probe');
    return peer.notify(method, params);
  }

  /** Ends a call that the server cancelled, so that its caller does not have to wait for the deadline. */
  calledOff(id: number, reason: string | undefined): void {
    const { ledger, peer } = this.#options;
    const call = ledger.calledOff(id);
    if (call) peer.fail(id, cancelledByServer(call.method, reason));
  }

  /**
   * Pauses the deadlines of all calls of the clients that have calls in flight, because such a client must first answer a
   * request of the server. Returns a function that resumes the deadlines.
   */
  clientAsked(): () => void {
    const { ledger, clock } = this.#options;
    const release = ledger.clientAsked(clock);
    return () => {
      release();
      this.#deadline.lookAgain();
    };
  }

  /** Ends the deadline timer of the calls when the connection ends. */
  dispose(): void {
    this.#deadline.dispose();
  }

  /** Returns the smallest result of `of` among all awaited calls. */
  #least(of: (call: OpenCall) => number): number {
    let least = Infinity;
    for (const call of this.#awaited.values()) least = Math.min(least, of(call));
    return least;
  }

  /**
   * Extends the deadlines of calls that were sent before a period in which the panel did not run, so that this period does not
   * count. The extension depends on the limits of each call.
   */
  #excuse({ absentMs, lateMs }: Absence): void {
    const nowMs = this.#options.clock.now();
    for (const call of this.#awaited.values()) {
      const limitMs = limitOf(call);
      if (call.startedAtMs > nowMs - lateMs || lateMs <= toleratedLatenessMs(limitMs)) continue;
      const count = this.#absences.get(call) ?? new AbsenceCount();
      this.#absences.set(call, count);
      const ownMs = Math.min(absentMs, nowMs - call.startedAtMs);
      excuse(call, count.came({ absentMs: ownMs, lateMs }, nowMs, limitMs), nowMs);
    }
  }

  /** Ends the calls whose deadline has passed. */
  #passed(): void {
    const nowMs = this.#options.clock.now();
    for (const call of this.#awaited.values())
      if (callerDeadlineOf(call) <= nowMs) this.#cut(call, timedOut(call, nowMs), TIMED_OUT);
    this.#deadline.lookAgain();
  }

  /**
   * Rejects an awaited call with `error` and sends the cancellation to the server. The call is removed first, so that a later
   * abort does not send a second cancellation.
   */
  #cut(call: OpenCall, error: unknown, reason: string): void {
    this.#awaited.delete(call);
    if (!this.#options.peer.fail(call.id, error)) return;
    this.notify('notifications/cancelled', { requestId: call.id, reason }).catch(() => undefined);
  }

  #ended({ method, target, startedAtMs }: OpenCall, outcome: CountedOutcome, isOwnQuestion: boolean): void {
    const now = this.#options.clock.now();
    const durationMs = now - startedAtMs;
    if (isUse(method, isOwnQuestion)) this.#lastUseAtMs = now;
    this.#callEnds.emit({ method, target, durationMs, outcome, isOwnQuestion });
  }
}

/** Returns the maximum milliseconds that the caller of a call waits without progress. */
const limitOf = ({ limits }: OpenCall): number => Math.min(limits.timeoutMs, limits.maxTotalMs);

/**
 * True if only the running server can answer the request. The panel itself answers list requests from its stored copies, and
 * unsubscribes clients without the server.
 */
const isUse = (method: string, isOwn: boolean): boolean =>
  !isOwn && !method.endsWith('/list') && method !== 'resources/unsubscribe';

/**
 * Combines the limits in the settings with a caller's own timeout. A shorter timeout only ends that caller's wait; the time
 * that the server has for the call never gets shorter.
 */
function termsOf(setting: CallLimits, ownTimeoutMs: number | undefined): CallTerms {
  if (ownTimeoutMs === undefined) return { limits: setting, allowance: setting };
  const maxTotalMs = Math.max(setting.maxTotalMs, ownTimeoutMs);
  return {
    limits: { timeoutMs: ownTimeoutMs, maxTotalMs },
    allowance: { timeoutMs: Math.max(setting.timeoutMs, ownTimeoutMs), maxTotalMs },
  };
}

function callerOf({ client, isOwnQuestion }: CallOptions): Caller {
  if (isOwnQuestion === true) return { by: 'panel' };
  return client === undefined || client === OF_THE_WINDOW ? { by: 'window' } : { by: 'client', client };
}
