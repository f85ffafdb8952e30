import type { PanelError } from '../../../shared/error-codes.ts';
import { messageOf } from '../../../shared/message-of.ts';
import type { Clock, Disposable } from '../clock.ts';
import { Deadline } from '../deadline.ts';
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
import { unlessAborted } from '../wait.ts';

export interface OutgoingCallsOptions {
  readonly clock: Clock;
  readonly peer: RpcPeer;
  readonly ledger: CallLedger;
  readonly passages: ConnectionTraffic;
  /** Read at each call, so that a changed setting applies to the next one. */
  readonly limits: () => CallLimits;
  /** Why the connection is over, once it is. */
  readonly endError: () => PanelError;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Longest time without progress that this caller waits, instead of the setting's. */
  readonly timeoutMs?: number;
  onProgress?(progress: ServerProgress): void;
  /** The panel asks for itself, so it is nobody's call, and no figure of calls counts it. */
  readonly isOwnQuestion?: true;
  /** On whose behalf: the name of a client, or `window`. */
  readonly client?: string | undefined;
}

/** A call that was sent, and is over for its caller. */
export interface CallResult {
  readonly method: string;
  /** The tool's or prompt's name, where the method has one. */
  readonly target: string | undefined;
  /** From the sending to the end of the caller's wait. */
  readonly durationMs: number;
  readonly outcome: CountedOutcome;
  /** The panel asked it for itself: nobody called. */
  readonly isOwnQuestion: boolean;
}

/** A request that has left. */
export interface Asked {
  /** Undefined for a probe, and when the connection is over. */
  readonly call?: OpenCall | undefined;
  readonly answer: Promise<RawResult>;
}

/** Calls of the window come under this name. */
const OF_THE_WINDOW = 'window';
/** Whoever asks beside calls is a part of the panel. */
const THE_PANEL: Caller = { by: 'panel' };

/** What is asked of one server: each request has an entry in the ledger, a deadline, and an end that is told. */
export class OutgoingCalls {
  readonly #options: OutgoingCallsOptions;
  readonly #beforeCall = new SoleOwner<() => Promise<void> | undefined>('what calls wait for');
  readonly #callEnds = new Emitter<CallResult>();
  readonly #cutoffs = new Set<CallCutoff>();

  constructor(options: OutgoingCallsOptions) {
    this.#options = options;
  }

  /** A call is about to leave; it waits for the promise. Returns the undo. @throws Error when there is an owner */
  onBeforeCall(hold: () => Promise<void> | undefined): () => void {
    return this.#beforeCall.take(hold);
  }

  /** A call that was sent is over for its caller. Returns the undo. */
  onCallEnded(listener: (end: CallResult) => void): () => void {
    return this.#callEnds.subscribe(listener);
  }

  /** Sends before it returns. The result is a long one as it came. */
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
    const { signal, isOwnQuestion: isOwn = false } = options;
    const held = this.#beforeCall.current?.();
    // A caller that cancels meanwhile is freed at once, and nothing is sent.
    if (held) await unlessAborted(held, signal);
    if (signal?.aborted) throw cancelledByCaller(method, signal.reason);
    const terms = termsOf(this.#options.limits(), options.timeoutMs);
    const onProgress = (progress: ServerProgress) => options.onProgress?.(progress);
    const { call, answer } = this.ask(method, params, terms, onProgress, callerOf(options));
    const cutoff = call && this.#cutoffOf(call, signal);
    let outcome: CountedOutcome = 'result';
    try {
      return await answer;
    } catch (error) {
      const failure = signal?.aborted ? cancelledByCaller(method, error) : callError(error, method);
      outcome = outcomeOf(failure);
      throw failure;
    } finally {
      this.#dispose(cutoff);
      if (call) this.#ended(call, outcome, isOwn);
    }
  }

  /** Tells the server something. @throws what the transport throws */
  notify(method: string, params?: Record<string, unknown>): Promise<void> {
    const { ledger, clock, peer } = this.#options;
    const message = { jsonrpc: '2.0' as const, method, ...(params && { params }) };
    ledger.sent(message, clock.now(), 'probe');
    return peer.notify(method, params);
  }

  /** The server says that it works on a call of ours no longer: its caller need not wait for the deadline. */
  calledOff(id: number, reason: string | undefined): void {
    const { ledger, peer } = this.#options;
    const call = ledger.calledOff(id);
    if (call) peer.fail(id, cancelledByServer(call.method, reason));
  }

  /** The client whose calls are in flight is asked what the server wants of it. Its calls have the time that this takes, until the undo that is returned. */
  clientAsked(): () => void {
    const { ledger, clock } = this.#options;
    const release = ledger.clientAsked(clock);
    return () => {
      release();
      for (const cutoff of this.#cutoffs) cutoff.lookAgain();
    };
  }

  #cutoffOf(call: OpenCall, caller: AbortSignal | undefined): CallCutoff {
    const { clock } = this.#options;
    const cutoff = new CallCutoff({
      clock,
      call,
      caller,
      onCut: (by) =>
        by === 'deadline'
          ? this.#cancel(call, timedOut(call, clock.now()), TIMED_OUT)
          : this.#cancel(call, caller?.reason, messageOf(caller?.reason)),
    });
    this.#cutoffs.add(cutoff);
    return cutoff;
  }

  #dispose(cutoff: CallCutoff | undefined): void {
    if (!cutoff) return;
    this.#cutoffs.delete(cutoff);
    cutoff.dispose();
  }

  /** Its caller is freed with `error`, and the server told. */
  #cancel({ id }: OpenCall, error: unknown, reason: string): void {
    if (!this.#options.peer.fail(id, error)) return;
    this.notify('notifications/cancelled', { requestId: id, reason }).catch(() => undefined);
  }

  #ended({ method, target, startedAtMs }: OpenCall, outcome: CountedOutcome, isOwnQuestion: boolean): void {
    const durationMs = this.#options.clock.now() - startedAtMs;
    this.#callEnds.emit({ method, target, durationMs, outcome, isOwnQuestion });
  }
}

/** A caller's own timeout is its own: it neither shortens nor outlasts what the server is allowed, and is waited for. */
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

export interface CallCutoffOptions {
  readonly clock: Clock;
  /** It has left: its deadline counts. */
  readonly call: OpenCall;
  readonly caller: AbortSignal | undefined;
  /** Called once at most. */
  readonly onCut: (by: 'deadline' | 'caller') => void;
}

/**
 * Ends the wait of one caller, when the caller aborts or when the deadline of its call has passed. Dispose it with the call:
 * what the caller aborts later is no business of the server.
 */
export class CallCutoff implements Disposable {
  readonly #caller: AbortSignal | undefined;
  readonly #deadline: Deadline;
  readonly #onCut: CallCutoffOptions['onCut'];

  constructor({ clock, call, caller, onCut }: CallCutoffOptions) {
    this.#caller = caller;
    this.#onCut = onCut;
    const { timeoutMs, maxTotalMs } = call.limits;
    this.#deadline = new Deadline({
      clock,
      dueAtMs: () => callerDeadlineOf(call),
      limitMs: () => Math.min(timeoutMs, maxTotalMs),
      onAbsent: (absence) => excuse(call, absence, clock.now()),
      onPassed: () => this.#cut('deadline'),
    });
    caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The deadline of the call has moved, other than by progress. */
  lookAgain(): void {
    this.#deadline.lookAgain();
  }

  dispose(): void {
    this.#deadline.dispose();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = () => this.#cut('caller');

  #cut(by: 'deadline' | 'caller'): void {
    this.dispose();
    this.#onCut(by);
  }
}
