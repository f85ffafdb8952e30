import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock } from '../../clock.ts';
import type { MessageId, RelayCall } from '../types.ts';
import type { RelayedOutcome } from './call-end.ts';
import { longParams, progressTokenIn, targetIn, type CallParams } from './call-params.ts';
import type { CallOptions } from '../../supervisor/connection/mcp-connection.ts';
import type { CallAnswer, CallSteps, SendCall } from './call-steps.ts';
import type { RelayLease } from './relay-options.ts';
import { outcomeOfError, rpcErrorIn, wireErrorOf } from './relay-error.ts';
import { asResult, withId } from './splice-id.ts';

export interface ClientCallOptions {
  readonly clock: Clock;
  readonly call: RelayCall;
  /** As the person named the client. */
  readonly clientName: string;
  /** @throws PanelError as `ClientHold.current` */
  readonly current: () => RelayLease | undefined;
  readonly acquire: (signal: AbortSignal) => Promise<RelayLease>;
  /** As `SpareWay.turn`. */
  readonly turn?: ((signal: AbortSignal) => Promise<() => void> | undefined) | undefined;
  readonly here: CallSteps['here'];
  /** Called once at most, with a lease whose session was open a moment ago. */
  readonly send: SendCall;
  readonly redact: (text: string) => string;
  /** Called once, when nothing more is written to the reply. */
  readonly onEnded: (call: ClientCall, outcome: RelayedOutcome) => void;
}

/**
 * Progress while a server starts counts in these, because progress is to increase, and what the server itself reports comes
 * after it.
 */
const PROGRESS_PER_SECOND = 1e-6;

/** One request of a client, from its arrival until its reply has ended. It is sent to the server once at most. */
export class ClientCall {
  readonly startedAtMs: number;
  readonly #options: ClientCallOptions;
  readonly #abort = new AbortController();
  #params: CallParams | undefined;
  #isWaiting = false;
  #isCancelled = false;

  constructor(options: ClientCallOptions) {
    this.#options = options;
    this.startedAtMs = options.clock.now();
    this.#params = options.call.params;
  }

  get id(): MessageId {
    return this.#options.call.id;
  }
  get method(): string {
    return this.#options.call.method;
  }
  /** The tool's or prompt's name, where the method has one. */
  get target(): string | undefined {
    return targetIn(this.#params);
  }
  get reply(): RelayCall['reply'] {
    return this.#options.call.reply;
  }

  /** Over a session that is open now it is sent before this returns. Resolves when the reply has ended, never rejects. */
  async carryOut(): Promise<void> {
    const { call, here, onEnded } = this.#options;
    try {
      if (call.long) this.#params = await longParams(call.long, this.#abort.signal);
      const known = here && (await here(this.#params ?? {}));
      this.#abort.signal.throwIfAborted();
      this.#answer(known ?? (await this.#ask()));
      onEnded(this, 'result');
    } catch (error) {
      this.#fail(error);
      onEnded(this, outcomeOfError(error, this.#isCancelled));
    }
  }

  /** The client gave it up: it gets no answer (MCP specification, cancellation), and the server is told. */
  cancel(reason: string): void {
    this.#isCancelled = true;
    this.#abort.abort(new PanelError('CANCELLED', reason));
  }

  /** Called about once a second. @param waitWords what is being waited for: "starting github" */
  tick(nowMs: number, waitWords: string): void {
    if (this.#isWaiting) this.#tellWait(Math.floor((nowMs - this.startedAtMs) / 1000), waitWords);
  }

  async #ask(): Promise<CallAnswer> {
    const turn = this.#options.turn?.(this.#abort.signal);
    if (!turn) return this.#send();
    const end = await this.#wait(turn);
    try {
      return await this.#send();
    } finally {
      end();
    }
  }

  async #send(): Promise<CallAnswer> {
    const { current, acquire, send } = this.#options;
    const { signal } = this.#abort;
    const lease = current() ?? (await this.#wait(acquire(signal)));
    signal.throwIfAborted();
    return send(lease, this.#params ?? {}, this.#callOptions());
  }

  async #wait<T>(promise: Promise<T>): Promise<T> {
    this.#isWaiting = true;
    try {
      return await promise;
    } finally {
      this.#isWaiting = false;
    }
  }

  /** Progress goes to a client that asked for it, under its own token. */
  #callOptions(): CallOptions {
    const { signal } = this.#abort;
    const progressToken = progressTokenIn(this.#params);
    const { clientName: client } = this.#options;
    if (progressToken === undefined) return { signal, client };
    return { signal, client, onProgress: (progress) => this.#stream({ ...progress, progressToken }) };
  }

  #tellWait(seconds: number, words: string): void {
    const progressToken = progressTokenIn(this.#params);
    if (progressToken === undefined) return;
    const message = `${words}, ${seconds} s`;
    this.#stream({ progress: seconds * PROGRESS_PER_SECOND, message, progressToken });
  }

  #stream(params: Record<string, unknown>): void {
    if (this.reply.isOpen) this.reply.stream({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }

  #answer(answer: CallAnswer): void {
    const { id, reply } = this;
    if (!reply.isOpen) return;
    if (answer.kind === 'long') reply.end(withId(answer.message, id));
    else if (answer.kind === 'bytes') reply.end(asResult(answer.result, id));
    else reply.end({ jsonrpc: '2.0', id, result: answer.result });
  }

  #fail(error: unknown): void {
    const { id, reply } = this;
    if (!reply.isOpen) return;
    if (this.#isCancelled) return closeUnanswered(reply);
    const long = rpcErrorIn(error)?.long;
    const { redact, call } = this.#options;
    if (long) return reply.end(withId(long, id));
    reply.end({ jsonrpc: '2.0', id, error: wireErrorOf(error, call.session.server, redact) });
  }
}

/** An event stream that ends without an answer: the only end of a response that says nothing. */
function closeUnanswered(reply: RelayCall['reply']): void {
  reply.open();
  reply.close();
}
