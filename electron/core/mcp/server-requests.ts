import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../emitter.ts';
import type { LongMessage } from './long-message.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from './rpc-error.ts';
import { SoleOwner } from './sole-owner.ts';

/** Request of a server to its client, as received. */
export type ServerRequest = Pick<JSONRPCRequest, 'id' | 'method' | 'params'>;

/**
 * Answers a server's request by returning the result. A thrown `RpcError` is sent to the server unchanged; any other error is
 * sent as an internal error without its message. `signal` aborts when the server cancels the request or the connection ends;
 * then nothing is sent. Call `asking` when the request is passed on to the clients with calls in flight, so that the deadlines
 * of their calls pause.
 */
export type AnswerRequest = (
  request: ServerRequest,
  signal: AbortSignal,
  asking: () => void,
) => Promise<Record<string, unknown>>;

interface ServerRequestsOptions {
  readonly send: (message: JSONRPCMessage) => void;
  /**
   * Called when a request is passed on to the clients that have calls in flight. Returns a function to call when the request
   * has been answered.
   */
  readonly onAsking: () => () => void;
}

/**
 * Number of request ids of a server that are remembered, whether answered or not, to recognize which request a cancellation
 * refers to.
 */
const MAX_REMEMBERED = 1000;
/** Number of unanswered requests above which further requests are refused, so that they do not fill the memory. */
const MAX_OPEN = 256;

/**
 * Requests that one server sends to its client. `ping` is answered here; all other requests are answered by the single handler
 * set with `onRequest`. Without a handler they are refused.
 */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  readonly #owner = new SoleOwner<AnswerRequest>('the requests of this server');
  readonly #asked = new Emitter<ServerRequest>();
  readonly #open = new Map<RequestId, AbortController>();
  readonly #remembered = new Set<RequestId>();

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  /**
   * Subscribes to requests except `ping`. The listener is called before the request is answered; long params are truncated.
   * Returns the unsubscribe function.
   */
  onAsked(listener: (request: ServerRequest) => void): () => void {
    return this.#asked.subscribe(listener);
  }

  /** Sets the handler that answers requests. Returns a function that removes it. @throws Error if there is a handler already */
  onRequest(answer: AnswerRequest): () => void {
    return this.#owner.take(answer);
  }

  /** @param long the same request, if its params are too long to be in `request` */
  received({ id, method, params }: JSONRPCRequest, long?: LongMessage): void {
    this.#remember(id);
    if (method === 'ping') return this.#options.send({ jsonrpc: '2.0', id, result: {} });
    const request: ServerRequest = { id, method, ...(params && { params }) };
    this.#asked.emit(request);
    const answer = this.#owner.current;
    if (!answer) this.#refuse(id, new RpcError(METHOD_NOT_FOUND, 'Method not found'));
    else if (this.#open.size >= MAX_OPEN)
      this.#refuse(id, new RpcError(INTERNAL_ERROR, 'Too many requests at a time'));
    else void this.#answer(request, answer, long);
  }

  /** Handles a cancellation by the server. Returns false if no request with this id is remembered. */
  cancelled(id: RequestId): boolean {
    this.#open.get(id)?.abort();
    return this.#remembered.has(id);
  }

  /** Aborts all requests that are being answered. */
  close(): void {
    for (const abort of this.#open.values()) abort.abort();
  }

  async #answer(asked: ServerRequest, answer: AnswerRequest, long: LongMessage | undefined): Promise<void> {
    const { id } = asked;
    const abort = new AbortController();
    this.#open.set(id, abort);
    let endAsking: (() => void) | undefined;
    try {
      const request = long ? { ...asked, params: await long.body(abort.signal) } : asked;
      const result = await answer(request, abort.signal, () => (endAsking ??= this.#options.onAsking()));
      if (!abort.signal.aborted) this.#options.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const refusal = error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error');
      if (!abort.signal.aborted) this.#refuse(id, refusal);
    } finally {
      endAsking?.();
      // The entry is only removed if it is still this request's, because a server may reuse an id while the first request is
      // open.
      if (this.#open.get(id) === abort) this.#open.delete(id);
    }
  }

  #refuse(id: RequestId, { code, message, data }: RpcError): void {
    this.#options.send({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
  }

  #remember(id: RequestId): void {
    this.#remembered.add(id);
    if (this.#remembered.size <= MAX_REMEMBERED) return;
    for (const oldest of this.#remembered) return void this.#remembered.delete(oldest);
  }
}
