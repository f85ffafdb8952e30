import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock } from '../../clock.ts';
import type { MessageId, RelayCall } from '../types.ts';
import type { RelayedOutcome } from './call-end.ts';
import { progressTokenIn, targetIn, type CallParams } from './call-params.ts';
import type { CallOptions } from '../../mcp/mcp-connection.ts';
import type { CallAnswer, CallSteps, SendCall } from './call-steps.ts';
import type { Lease } from '../../sessions/lease.ts';
import { outcomeOfError, rpcErrorIn, wireErrorOf } from './relay-error.ts';
import { asResult, withId } from './splice-id.ts';
import type { EndTurn } from './turn-line.ts';

/** The right to be on the wire; a promise of it where the call is to wait. Undefined where calls need none. */
export type Turn = EndTurn | Promise<EndTurn> | undefined;

/** What a call waits for: the server, or the calls before it. */
export type CallWait = 'server' | 'turn';

export interface ClientCallOptions {
  readonly clock: Clock;
  readonly call: RelayCall;
  /** As the person named the client. */
  readonly clientName: string;
  /** @throws PanelError as `ClientHold.current` */
  readonly current: () => Lease | undefined;
  readonly acquire: (signal: AbortSignal) => Promise<Lease>;
  /** As `SessionWay.turn`. */
  readonly turn?: ((signal: AbortSignal) => Turn) | undefined;
  /** How long the call may wait for its turn. Read at each look. */
  readonly turnTimeoutMs: () => number;
  /** It has waited for its turn for so long, and got it or gave it up. */
  readonly onWaited: (waitedMs: number) => void;
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
  #waitsFor: CallWait | undefined;
  #isCancelled = false;

  constructor(options: ClientCallOptions) {
    this.#options = options;
    this.startedAtMs = options.clock.now();
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
  get #params(): CallParams {
    return this.#options.call.params ?? {};
  }

  /** Over a session that is open now it is sent before this returns. Resolves when the reply has ended, never rejects. */
  async carryOut(): Promise<void> {
    const { here, onEnded } = this.#options;
    try {
      const known = here && (await here(this.#params));
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

  /** Called about once a second. @param wordsOf what is being waited for: "starting github" */
  tick(nowMs: number, wordsOf: (wait: CallWait) => string): void {
    if (!this.#waitsFor) return;
    const waitedMs = nowMs - this.startedAtMs;
    if (this.#waitsFor === 'turn' && waitedMs >= this.#options.turnTimeoutMs())
      return this.#giveUpTurn(waitedMs);
    this.#tellWait(Math.floor(waitedMs / 1000), wordsOf(this.#waitsFor));
  }

  async #ask(): Promise<CallAnswer> {
    const turn = this.#options.turn?.(this.#abort.signal);
    if (!turn) return this.#send();
    const end = turn instanceof Promise ? await this.#waitForTurn(turn) : turn;
    try {
      const answer = await this.#send();
      end(true);
      return answer;
    } catch (error) {
      end(rpcErrorIn(error) !== undefined);
      throw error;
    }
  }

  async #waitForTurn(turn: Promise<EndTurn>): Promise<EndTurn> {
    const { clock, onWaited } = this.#options;
    const beganAtMs = clock.now();
    try {
      return await this.#wait('turn', turn);
    } finally {
      onWaited(clock.now() - beganAtMs);
    }
  }

  #giveUpTurn(waitedMs: number): void {
    const { server } = this.#options.call.session;
    const waited = `waited ${Math.floor(waitedMs / 1000)} s for other calls`;
    const message = `The call ${waited} and was not sent: "${server}" answers one call at a time.`;
    const remedy =
      'Try again later, or give each client a process of its own on the Sessions page of the server.';
    this.#abort.abort(new PanelError('REQUEST_TIMEOUT', message, { remedy }));
  }

  async #send(): Promise<CallAnswer> {
    const { current, acquire, send } = this.#options;
    const { signal } = this.#abort;
    const lease = current() ?? (await this.#wait('server', acquire(signal)));
    signal.throwIfAborted();
    return send(lease, this.#params, this.#callOptions());
  }

  async #wait<T>(wait: CallWait, promise: Promise<T>): Promise<T> {
    this.#waitsFor = wait;
    try {
      return await promise;
    } finally {
      this.#waitsFor = undefined;
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
