import type { JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { Emitter } from '../emitter.ts';
import type { LongMessage } from './long-message.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from './rpc-error.ts';
import { SoleOwner } from './sole-owner.ts';

/** A server's own request to its client, as it came. */
export type ServerRequest = Pick<JSONRPCRequest, 'id' | 'method' | 'params'>;

/**
 * Answers a server's request with its result. An `RpcError` is sent as it stands, any other error as an internal one without
 * its words. `signal` aborts when the server cancels the request or the connection ends; nothing is sent then. Whoever puts it
 * to the client whose calls are in flight says so by `asking`.
 */
export type AnswerRequest = (
  request: ServerRequest,
  signal: AbortSignal,
  asking: () => void,
) => Promise<Record<string, unknown>>;

export interface ServerRequestsOptions {
  readonly send: (message: JSONRPCMessage) => void;
  /** The client whose calls are in flight is being asked, until the undo that is returned. */
  readonly onAsking: () => () => void;
}

/** Ids of so many requests of the server are remembered, open or not. */
const MAX_REMEMBERED = 1000;
/** More at a time are refused: a server that asks on and on would fill memory with unfinished work. */
const MAX_OPEN = 256;

/** What one server asks its client. `ping` is answered here; the rest by its one owner, and without one it is refused. */
export class ServerRequests {
  readonly #options: ServerRequestsOptions;
  readonly #owner = new SoleOwner<AnswerRequest>('the requests of this server');
  readonly #asked = new Emitter<ServerRequest>();
  readonly #open = new Map<RequestId, AbortController>();
  readonly #remembered = new Set<RequestId>();

  constructor(options: ServerRequestsOptions) {
    this.#options = options;
  }

  /** Hears of every request but `ping`, before it is answered or refused; of a long one without most of its params. Returns the undo. */
  onAsked(listener: (request: ServerRequest) => void): () => void {
    return this.#asked.subscribe(listener);
  }

  /** Returns the undo, after which requests are refused again. @throws Error when they have an owner */
  onRequest(answer: AnswerRequest): () => void {
    return this.#owner.take(answer);
  }

  /** @param long the same request, where its params are too long to be in `request` */
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

  /** The server called the request off. False when it has sent none with this id. */
  cancelled(id: RequestId): boolean {
    this.#open.get(id)?.abort();
    return this.#remembered.has(id);
  }

  /** Nothing is answered any more. */
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
      // A server may use an id again while its first request is open.
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
