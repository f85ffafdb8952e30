import type { Lease } from '../../sessions/lease.ts';
import type { Cancellable } from '../../wait.ts';
import type { MessageId, SessionFacts } from '../types.ts';
import type { ServerAccess } from './access.ts';
import type { CallAnswer, CallParams, RelayedOutcome } from './answers.ts';
import type { ClientSessionsOptions } from './options.ts';

/** A request as received from its client. */
export interface ClientRequest {
  readonly id: MessageId;
  readonly method: string;
  readonly params?: CallParams | undefined;
}

/** Steps that replace or precede sending a request to the server. The client gets their errors as built by `wireErrorOf`. */
export interface CallSteps {
  /** Answers without asking the server, if possible; otherwise resolves with undefined, and the request is sent to the server. */
  readonly here?: ((params: CallParams) => Promise<CallAnswer | undefined>) | undefined;
  /**
   * Used instead of sending the request unchanged. Called at most once, with a lease (the right to call the server over one
   * connection) whose connection was open a moment ago.
   */
  readonly send?: (lease: Lease) => Promise<CallAnswer>;
}

/** Parts of the gateway that a call needs. */
export type CallParts = Pick<
  ClientSessionsOptions,
  'approvals' | 'catalogue' | 'clock' | 'redact' | 'onTurnWaited'
>;

/** The session of a call. */
export interface CallingSession<Call> {
  readonly facts: SessionFacts;
  /** Client's name as the user chose it. */
  readonly clientName: string;
  readonly access: ServerAccess;
  /** Names of tools that are hidden from the client; undefined if it sees all. */
  readonly hidden: ReadonlySet<string> | undefined;
  /** Milliseconds since the client last sent something; 0 while it keeps a stream open. */
  silentMs(nowMs: number): number;
  /** Called once when nothing more is written to the reply. */
  callEnded(call: Call, outcome: RelayedOutcome): void;
}

/**
 * What a call may wait for before it is sent: the server's start, its turn at a server that answers one call at a time, or the
 * user's answer to an approval question.
 */
export type CallWait = 'server' | 'turn' | 'answer';

/** Cancellation of one call. An `AbortSignal` is created only if something requires one to wait, which is rare. */
export class CallAbort implements Cancellable {
  #reason: Error | undefined;
  #controller: AbortController | undefined;
  #listener: (() => void) | undefined;

  get aborted(): boolean {
    return this.#reason !== undefined;
  }
  get reason(): Error | undefined {
    return this.#reason;
  }
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Aborts with this reason. Only the first reason counts. */
  abort(reason: Error): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /** @throws the reason of the abort, if there was one */
  throwIfAborted(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Sets the listener. There is only one, because the call is sent once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listener = listener;
  }

  removeEventListener(): void {
    this.#listener = undefined;
  }
}
