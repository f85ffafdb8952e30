import type { AskRefusalReason } from '../../../../shared/gateway.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from '../../mcp/rpc-error.ts';
import type { ServerRequest } from '../../mcp/server-requests.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { InboundMessage, GatewayReply } from '../types.ts';
import type { CallersInFlight, SoleCaller } from './callers-in-flight.ts';
import { canBeAsked } from './client-capabilities.ts';

const words: Readonly<Record<AskRefusalReason, string>> = {
  nobody: 'no client has a call in flight that the request could belong to',
  several: 'other clients have used the same connection, and the request does not say whose it is',
  undeclared: 'the client did not declare that it can be asked this',
  unreachable: 'the client is gone',
};

/** Whom a request of a server goes to, or why to nobody. Nobody is asked in the place of the one whose call it is. */
export function receiverOf(
  caller: ReturnType<CallersInFlight['sole']>,
  method: string,
): SoleCaller | AskRefusalReason {
  if (typeof caller === 'string') return caller;
  if (!canBeAsked(caller.session.capabilities, method)) return 'undeclared';
  return caller.replies.length === 0 ? 'unreachable' : caller;
}

/** Whether servers ask clients with the method at all, so that a refusal is worth telling. */
export function isAsk(method: string): boolean {
  return canBeAsked('elicitation+sampling', method) || method === 'roots/list';
}

/** What the server is told. A method that asks nobody is one that nobody has. */
export function refusalOf(method: string, reason: AskRefusalReason): RpcError {
  if (!isAsk(method)) return new RpcError(METHOD_NOT_FOUND, 'Method not found');
  return new RpcError(INTERNAL_ERROR, `MCP Control Panel did not pass on ${method}: ${words[reason]}.`);
}

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
  #reply: GatewayReply | undefined;

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
  send(replies: readonly GatewayReply[]): boolean {
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

/** Ends the ask with what the client answered: a result, an error, or neither, which is an error of its own. */
export function settleWith(ask: Pick<OpenAsk, 'settle' | 'fail'>, { error, result }: InboundMessage): void {
  if (error !== undefined) ask.fail(clientError(error));
  else if (isJsonObject(result)) ask.settle(result);
  else ask.fail(new RpcError(INTERNAL_ERROR, 'The client gave an answer without a result.'));
}

/** The client's error as it stands, where it has the form of one. */
function clientError(error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {};
  if (Number.isSafeInteger(code) && typeof message === 'string')
    return new RpcError(code as number, message, data);
  return new RpcError(INTERNAL_ERROR, 'The client gave an error that is none.');
}
