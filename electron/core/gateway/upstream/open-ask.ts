import type { AskRefusalReason } from '../../../../shared/gateway.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from '../../mcp/rpc-error.ts';
import type { ServerRequest } from '../../mcp/server-requests.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import type { InboundMessage, GatewayReply } from '../types.ts';
import type { CallersInFlight, SoleCaller } from './callers-in-flight.ts';
import { canBeAsked } from './client-capabilities.ts';

const words: Readonly<Record<AskRefusalReason, string>> = {
  nobody: 'no client has a call in flight that the request could belong to',
  several: 'other clients have used the same connection, and the request does not say whose it is',
  undeclared: 'the client did not declare that it can be asked this',
  unreachable: 'the client is gone',
};

/** Returns the session that gets a server request, or why it is refused. Only the client that called the server gets one. */
export function receiverOf(
  caller: ReturnType<CallersInFlight['sole']>,
  method: string,
): SoleCaller | AskRefusalReason {
  if (typeof caller === 'string') return caller;
  if (!canBeAsked(caller.session.capabilities, method)) return 'undeclared';
  return caller.replies.length === 0 ? 'unreachable' : caller;
}

/** True for methods of requests that servers send to clients and whose refusal is worth reporting. */
export function isAsk(method: string): boolean {
  return canBeAsked('elicitation+sampling', method) || method === 'roots/list';
}

/** Returns the error for the server; "Method not found" for a method that servers do not normally send to clients. */
export function refusalOf(method: string, reason: AskRefusalReason): RpcError {
  if (!isAsk(method)) return new RpcError(METHOD_NOT_FOUND, 'Method not found');
  return new RpcError(INTERNAL_ERROR, `MCP Control Panel did not pass on ${method}: ${words[reason]}.`);
}

interface OpenAskOptions {
  readonly clock: Clock;
  readonly link: ServerLink;
  /** Id of the request as the client sees it, also used as the progress token. */
  readonly id: string;
  readonly request: ServerRequest;
  /** Milliseconds within which the client must answer. */
  readonly limitMs: number;
}

/** One server request that was forwarded to a client, until it is answered, cancelled or times out. */
export class OpenAsk {
  readonly #options: OpenAskOptions;
  readonly #answer = createDeferred<Record<string, unknown>>();
  readonly #serverToken: unknown;
  readonly #timer: Disposable;
  #reply: GatewayReply | undefined;

  constructor(options: OpenAskOptions) {
    const { clock, limitMs, request } = options;
    this.#options = options;
    this.#serverToken = metaOf(request)?.['progressToken'];
    this.#timer = clock.setTimeout(() => this.callOff('The client did not answer in time.'), limitMs);
  }

  /** Promise of the client's answer. @throws RpcError the client's error, or the reason why there is no answer */
  get answer(): Promise<Record<string, unknown>> {
    return this.#answer.promise;
  }

  /** Sends the request on the first response that accepts it. Returns false when none accepts it. */
  send(replies: readonly GatewayReply[]): boolean {
    const message = this.#message;
    this.#reply = replies.find((reply) => reply.isOpen && reply.stream(message));
    return this.#reply !== undefined;
  }

  /** Forwards the client's progress to the server, if the server asked for progress. */
  progressed(params: Readonly<Record<string, unknown>>): void {
    if (this.#serverToken === undefined) return;
    const { link } = this.#options;
    const told = link.notify('notifications/progress', { ...params, progressToken: this.#serverToken });
    told.catch(() => undefined);
  }

  settle(result: Record<string, unknown>): void {
    this.#answer.resolve(result);
  }

  /** Cancels the request because its answer is no longer needed, and notifies the client if it got the request. */
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

  /** Stops the timer once the request has ended. */
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

/** Settles the request with the client's answer: a result, an error, or an error of the panel if the answer has neither. */
export function settleWith(ask: Pick<OpenAsk, 'settle' | 'fail'>, { error, result }: InboundMessage): void {
  if (error !== undefined) ask.fail(clientError(error));
  else if (isJsonObject(result)) ask.settle(result);
  else ask.fail(new RpcError(INTERNAL_ERROR, 'The client gave an answer without a result.'));
}

/** Returns the client's error unchanged, if it has the form of an error. */
function clientError(error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {};
  if (Number.isSafeInteger(code) && typeof message === 'string')
    return new RpcError(code as number, message, data);
  return new RpcError(INTERNAL_ERROR, 'The client answered with an invalid error.');
}
