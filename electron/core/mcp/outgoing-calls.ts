import { OpenSet } from '../open-map.ts';
import type { PanelError } from '../../../shared/error-codes.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { Emitter } from '../emitter.ts';
import { SharedTimer } from '../shared-timer.ts';
import {
  callError,
  cancelledByCaller,
  cancelledByServer,
  outcomeOf,
  TIMED_OUT,
  timedOut,
  type CountedOutcome,
} from './call-errors.ts';
import {
  type CallLedger,
  type Caller,
  type CallLimits,
  type CallTerms,
  type OpenCall,
  callerDeadlineOf,
} from './call-ledger.ts';
import type { RawResult } from './long-message.ts';
import type { ConnectionTraffic } from './connection-traffic.ts';
import type { RpcPeer, ServerProgress } from './rpc-peer.ts';
import { SoleOwner } from './sole-owner.ts';
import { excuse } from '../wait-times.ts';
import { unlessAborted, type Cancellable } from '../wait.ts';

export interface OutgoingCallsOptions {
  readonly clock: Clock;
  readonly peer: RpcPeer;
  readonly ledger: CallLedger;
  readonly passages: ConnectionTraffic;
  /** Limits of a call, read at each call so that a changed setting applies to the next one. */
  readonly limits: () => CallLimits;
  /** Reason for the end of the connection, once it has ended. */
  readonly endError: () => PanelError;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** In place of `signal`, for `requestRaw` alone. */
  readonly cancellation?: Cancellable;
  /** Longest time without progress that this caller waits, in ms; overrides the setting. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: ServerProgress) => void;
  /** Whether the panel sends the request for itself. Such a request has no caller and is not counted as a call. */
  readonly isOwnQuestion?: true;
  /** Whether it is a person's own health check, whose end is not reported. */
  readonly isCheck?: true;
  /** Caller of the request: the name of a client, or `window`. */
  readonly client?: string | undefined;
}

/** Call that was sent and has ended for its caller. */
export interface CallResult {
  readonly method: string;
  /** Name of the tool or prompt, where the method has one. */
  readonly target: string | undefined;
  /** Milliseconds from the sending of the call to the end of the caller's wait. */
  readonly durationMs: number;
  readonly outcome: CountedOutcome;
  /** Whether the panel sent it for itself, without a caller. */
  readonly isOwnQuestion: boolean;
}

/** Request that has been sent. */
export interface Asked {
  /** Undefined for a probe, and when the connection is over. */
  readonly call?: OpenCall | undefined;
  readonly answer: Promise<RawResult>;
}

const ignore = () => undefined;
/** Client name of calls from the window. */
const OF_THE_WINDOW = 'window';
/** Caller of requests other than calls: a part of the panel. */
const THE_PANEL: Caller = { by: 'panel' };

/** Requests to one server. Each has an entry in the ledger, a deadline, and an end that is reported. */
export class OutgoingCalls {
  readonly #options: OutgoingCallsOptions;
  readonly #beforeCall = new SoleOwner<() => Promise<void> | undefined>('what calls wait for');
  readonly #callEnds = new Emitter<CallResult>();
  readonly #deadlines = new OpenSet<Deadline>();
  /** Times of the calls' ends. Its owner disposes it with the connection. */
  readonly timers: SharedTimer;
  /** Number of calls that wait for the hook and are not in the ledger yet. */
  #held = 0;
  #lastUseAtMs: number;

  constructor(options: OutgoingCallsOptions) {
    this.#options = options;
    this.timers = new SharedTimer(options.clock);
    this.#lastUseAtMs = options.clock.now();
  }

  /** Whether requests of callers are unanswered, or wait to be sent. */
  get isInUse(): boolean {
    return this.#held > 0 || this.#options.ledger.calls.some(({ caller }) => caller.by !== 'panel');
  }
  /** Monotonic time of the last request that only the server can answer, or of its end; before that, time of construction. */
  get lastUseAtMs(): number {
    return this.#lastUseAtMs;
  }

  /** Sets the one hook that each call waits for. Returns a function that removes it. @throws Error when there is one already */
  onBeforeCall(hold: () => Promise<void> | undefined): () => void {
    return this.#beforeCall.take(hold);
  }

  /** Subscribes to calls that have ended for their callers. Returns the unsubscribe function. */
  onCallEnded(listener: (end: CallResult) => void): () => void {
    return this.#callEnds.subscribe(listener);
  }

  /** Sends the request before it returns. A long result stays raw bytes. */
  ask(
    method: string,
    params: Record<string, unknown> | undefined,
    terms: CallTerms | 'probe',
    onProgress?: (progress: ServerProgress) => void,
    caller: Caller = THE_PANEL,
  ): Asked {
    const { peer, ledger, clock, passages, endError } = this.#options;
    if (peer.isClosed) return { answer: Promise.reject(endError()) };
    const request = peer.compose(method, params, onProgress !== undefined);
    const call = ledger.sent(request, clock.now(), terms, caller);
    const asker = {
      client: caller.by === 'window' ? OF_THE_WINDOW : caller.client,
      isOwn: caller.by === 'panel',
    };
    const answer = passages.whoAsks(request.id, asker, () => peer.ask(request, onProgress));
    return { call, answer };
  }

  /** See `McpConnection.requestRaw`. */
  async request(
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions,
  ): Promise<RawResult> {
    const { cancellation, signal = cancellation, isOwnQuestion: isOwn = false } = options;
    const held = this.#beforeCall.current?.();
    // A caller that cancels during the hook is rejected at once, and nothing is sent.
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
    const endWait = call && this.#cutOff(call, signal);
    let outcome: CountedOutcome = 'result';
    try {
      return await answer;
    } catch (error) {
      const failure = signal?.aborted ? cancelledByCaller(method, error) : callError(error, method);
      outcome = outcomeOf(failure);
      throw failure;
    } finally {
      endWait?.();
      if (call && !options.isCheck) this.#ended(call, outcome, isOwn);
    }
  }

  /** Sends a notification to the server. @throws any error of the transport */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    const { ledger, clock, peer } = this.#options;
    const message = { jsonrpc: '2.0' as const, method, ...(params && { params }) };
    ledger.sent(message, clock.now(), 'probe');
    return peer.notify(method, params);
  }

  /** Ends a call that the server cancelled, so that its caller need not wait for the deadline. */
  calledOff(id: number, reason: string | undefined): void {
    const { ledger, peer } = this.#options;
    const call = ledger.calledOff(id);
    if (call) peer.fail(id, cancelledByServer(call.method, reason));
  }

  /** Stops the deadlines of the calls of the client that answers a server request. Returns a function that resumes them. */
  clientAsked(): () => void {
    const { ledger, clock } = this.#options;
    const release = ledger.clientAsked(clock);
    return () => {
      release();
      for (const deadline of this.#deadlines.values()) deadline.lookAgain();
    };
  }

  /**
   * Ends the wait of the caller when it aborts or its deadline has passed. The returned function is called at the end of the call,
   * because a later abort must not reach the server.
   */
  #cutOff(call: OpenCall, caller: Cancellable | undefined): () => void {
    const { clock } = this.#options;
    const { timeoutMs, maxTotalMs } = call.limits;
    const cut = (error: unknown, reason: string) => {
      end();
      this.#cancel(call, error, reason);
    };
    const deadline = new Deadline({
      clock: this.timers,
      dueAtMs: () => callerDeadlineOf(call),
      limitMs: () => Math.min(timeoutMs, maxTotalMs),
      onAbsent: (absence) => excuse(call, absence, clock.now()),
      onPassed: () => cut(timedOut(call, clock.now()), TIMED_OUT),
    });
    const onAbort = () => cut(caller?.reason, messageOf(caller?.reason));
    const end = () => {
      deadline.dispose();
      this.#deadlines.delete(deadline);
      caller?.removeEventListener('abort', onAbort);
    };
    this.#deadlines.add(deadline);
    caller?.addEventListener('abort', onAbort, { once: true });
    return end;
  }

  /** Rejects the call with `error` and sends the cancellation to the server. */
  #cancel({ id }: OpenCall, error: unknown, reason: string): void {
    if (!this.#options.peer.fail(id, error)) return;
    this.notify('notifications/cancelled', { requestId: id, reason }).catch(() => undefined);
  }

  #ended({ method, target, startedAtMs }: OpenCall, outcome: CountedOutcome, isOwnQuestion: boolean): void {
    const now = this.#options.clock.now();
    const durationMs = now - startedAtMs;
    if (isUse(method, isOwnQuestion)) this.#lastUseAtMs = now;
    this.#callEnds.emit({ method, target, durationMs, outcome, isOwnQuestion });
  }
}

/** Whether a request is one that only the running server can answer: the panel keeps the lists, and drops subscriptions itself. */
const isUse = (method: string, isOwn: boolean): boolean =>
  !isOwn && !method.endsWith('/list') && method !== 'resources/unsubscribe';

/**
 * Combines the setting with a caller's own timeout, which changes only that caller's wait, and not the time that the server
 * has.
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
