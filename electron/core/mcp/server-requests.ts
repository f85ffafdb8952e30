import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../emitter.ts';
import type { LongMessage } from './long-message.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from './rpc-error.ts';
import { SoleOwner } from './sole-owner.ts';

/** Request of a server to its client, as received. */
export type ServerRequest = Pick<JSONRPCRequest, 'id' | 'method' | 'params'>;

/**
 * Answers a server's request with its result. An `RpcError` is sent unchanged, any other error as an internal error without its
 * message. `signal` aborts when the server cancels the request or the connection ends; then nothing is sent. Call `asking` when
 * the request is sent to the client with calls in flight.
 */
export type AnswerRequest = (
  request: ServerRequest,
  signal: AbortSignal,
  asking: () => void,
) => Promise<Record<string, unknown>>;

interface ServerRequestsOptions {
  readonly send: (message: JSONRPCMessage) => void;
  /** Called while the client with calls in flight answers. Returns a function that ends this state. */
  readonly onAsking: () => () => void;
}

/** Number of request ids of a server that are remembered, open or not. */
const MAX_REMEMBERED = 1000;
/** Number of open requests above which further ones are refused, because unfinished work would fill memory. */
const MAX_OPEN = 256;

/**
 * Requests of one server to its client. `ping` is answered here, all other requests by the only owner. Without an owner they
 * are refused.
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

  /** Subscribes to requests except `ping`, before their answer; long params are cut. Returns the unsubscribe function. */
  onAsked(listener: (request: ServerRequest) => void): () => void {
    return this.#asked.subscribe(listener);
  }

  /**
   * Sets the owner; without one, requests are refused. Returns a function that removes it. @throws Error if there is an owner
   * already
   */
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

  /** Handles a cancellation by the server. Returns false if the server has sent no request with this id. */
  cancelled(id: RequestId): boolean {
    this.#open.get(id)?.abort();
    return this.#remembered.has(id);
  }

  /** Aborts all answers. */
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
      // A server may reuse an id while its first request is open.
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
