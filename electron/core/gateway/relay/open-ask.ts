import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import { INTERNAL_ERROR, RpcError } from '../../mcp/rpc-error.ts';
import type { ServerRequest } from '../../mcp/server-requests.ts';
import type { Reply } from '../types.ts';

export interface OpenAskOptions {
  readonly clock: Clock;
  readonly link: UpstreamLink;
  /** What the client knows it by, also as its progress token. */
  readonly id: string;
  readonly request: ServerRequest;
  /** How long the client may take. */
  readonly limitMs: number;
}

/** One request of a server that a client has been asked, until the first of its ends. */
export class OpenAsk {
  readonly #options: OpenAskOptions;
  readonly #answer = createDeferred<Record<string, unknown>>();
  readonly #serverToken: unknown;
  readonly #timer: Disposable;
  #reply: Reply | undefined;

  constructor(options: OpenAskOptions) {
    const { clock, limitMs, request } = options;
    this.#options = options;
    this.#serverToken = metaOf(request)?.['progressToken'];
    this.#timer = clock.setTimeout(() => this.callOff('The client did not answer in time.'), limitMs);
  }

  /** @throws RpcError the client's own, or why it gave no answer */
  get answer(): Promise<Record<string, unknown>> {
    return this.#answer.promise;
  }

  /** Sends it on the first response that takes it. False when none does. */
  send(replies: readonly Reply[]): boolean {
    const message = this.#message;
    this.#reply = replies.find((reply) => reply.isOpen && reply.stream(message));
    return this.#reply !== undefined;
  }

  /** The client works on it: the server hears of that if it wished to. */
  progressed(params: Readonly<Record<string, unknown>>): void {
    if (this.#serverToken === undefined) return;
    const { link } = this.#options;
    const told = link.notify('notifications/progress', { ...params, progressToken: this.#serverToken });
    told.catch(() => undefined);
  }

  settle(result: Record<string, unknown>): void {
    this.#answer.resolve(result);
  }

  /** Nobody waits for the client's answer any more, which it is told where it was asked. */
  callOff(why: string): void {
    const { id } = this.#options;
    const params = { requestId: id, reason: why };
    if (this.#reply?.isOpen)
      this.#reply.stream({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    this.fail(new RpcError(INTERNAL_ERROR, why));
  }

  fail(error: Error): void {
    this.#answer.reject(error);
  }

  /** Called once it is over. */
  dispose(): void {
    this.#timer.dispose();
  }

  get #message(): object {
    const { id, request } = this.#options;
    const { method, params } = request;
    const asked = { jsonrpc: '2.0', id, method };
    if (this.#serverToken === undefined) return { ...asked, ...(params && { params }) };
    return { ...asked, params: { ...params, _meta: { ...metaOf(request), progressToken: id } } };
  }
}

function metaOf({ params }: ServerRequest): Readonly<Record<string, unknown>> | undefined {
  const meta: unknown = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : undefined;
}
