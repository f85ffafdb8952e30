import type { AskRefusalReason } from '../../../../shared/gateway.ts';
import type { Clock } from '../../clock.ts';
import type { CallLimits } from '../../mcp/open-call.ts';
import { INTERNAL_ERROR, RpcError } from '../../mcp/rpc-error.ts';
import type { AnswerRequest } from '../../mcp/server-requests.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import type { InboundMessage, SessionFacts } from '../types.ts';
import type { CallersInFlight, SoleCaller } from './callers-in-flight.ts';
import type { ElicitationOwners } from './fan-out.ts';
import { isAsk, OpenAsk, receiverOf, refusalOf, settleWith } from './open-ask.ts';

export interface AskRefusal {
  readonly server: string;
  readonly method: string;
  readonly reason: AskRefusalReason;
  /** Id of the client that called, if it was the only possible receiver; otherwise undefined. */
  readonly clientId?: string;
}

/** A connection that server requests come from. */
interface AskSource {
  readonly server: string;
  readonly callers: CallersInFlight;
  /** Elicitations that the user answers outside the client, with the sessions they belong to. */
  readonly elicitations: ElicitationOwners;
  /**
   * Returns the server's current call limits. A client may take as long to answer as a whole call may take, because its user is
   * asked, and the call's own deadline is paused meanwhile. Called at each server request.
   */
  readonly limits: () => CallLimits;
}

interface AskRouterOptions {
  readonly clock: Clock;
  /** Prefix of the ids of requests to clients, new for each app run, so that an answer meant for an earlier run has no effect. */
  readonly idPrefix: string;
  /** Called when a server request could not be sent to any client. */
  readonly onRefused: (refusal: AskRefusal) => void;
}

/**
 * Routes server requests (such as elicitation) to the only session that can be meant, and the session's answers back to the
 * server. No other session gets a server request, because the request may quote the caller's data.
 */
export class AskRouter {
  readonly #options: AskRouterOptions;
  /** Open requests by the nonce of their session, then by the id that the panel gave them. */
  readonly #open = new Map<string, Map<string, OpenAsk>>();
  #lastId = 0;

  constructor(options: AskRouterOptions) {
    this.#options = options;
  }

  /** Number of unanswered requests; 0 proves that nothing leaked. */
  get size(): number {
    return [...this.#open.values()].reduce((sum, asks) => sum + asks.size, 0);
  }

  /** True while the session has an unanswered server request. */
  isAsked({ nonce }: SessionFacts): boolean {
    return this.#open.has(nonce);
  }

  /** Answers server requests until the result is called or the connection ends. @throws Error if the connection has a handler */
  attach(link: ServerLink, source: AskSource): () => void {
    return link.onRequest((...asked) => this.#ask(link, source, ...asked));
  }

  /** Handles a client's answer (a POST with `result` or `error`). Returns false if no request with this id is open. */
  settle({ nonce }: SessionFacts, message: InboundMessage): boolean {
    const ask = this.#find(nonce, message.id);
    if (!ask) return false;
    settleWith(ask, message);
    return true;
  }

  /** Handles a client's `notifications/progress`. Returns false for an unknown token. */
  progressed({ nonce }: SessionFacts, params: Readonly<Record<string, unknown>> = {}): boolean {
    const ask = this.#find(nonce, params['progressToken']);
    ask?.progressed(params);
    return ask !== undefined;
  }

  /** Ends the open requests of an ended session. */
  sessionEnded({ nonce }: SessionFacts): void {
    for (const ask of [...(this.#open.get(nonce)?.values() ?? [])])
      ask.fail(new RpcError(INTERNAL_ERROR, 'The session of the client has ended.'));
  }

  dispose(): void {
    for (const asks of [...this.#open.values()])
      for (const ask of [...asks.values()]) ask.callOff('The panel is quitting.');
  }

  async #ask(
    link: ServerLink,
    source: AskSource,
    ...[request, signal, asking]: Parameters<AnswerRequest>
  ): Promise<Record<string, unknown>> {
    const { session, replies } = this.#receiverOf(source, request.method);
    this.#lastId += 1;
    const id = `${this.#options.idPrefix}-${this.#lastId}`;
    const { maxTotalMs: limitMs } = source.limits();
    const ask = new OpenAsk({ clock: this.#options.clock, link, id, request, limitMs });
    const forget = this.#remember(session.nonce, id, ask);
    const onAbort = () => ask.callOff('The server cancelled the request.');
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      // Stored before it is sent, because a client may answer within the same event-loop tick.
      if (!ask.send(replies)) throw this.#refused(source, request.method, 'unreachable', session);
      asking();
      source.elicitations.note(request.params?.['elicitationId'], session.nonce);
      return await ask.answer;
    } finally {
      signal.removeEventListener('abort', onAbort);
      ask.dispose();
      forget();
    }
  }

  /**
   * Returns the session that the request is sent to. @throws RpcError the refusal for the server; if servers normally send this
   * method to clients, the refusal is also reported through `onRefused`
   */
  #receiverOf(source: AskSource, method: string): SoleCaller {
    const sole = source.callers.sole();
    const receiver = receiverOf(sole, method);
    if (typeof receiver !== 'string') return receiver;
    throw this.#refused(source, method, receiver, typeof sole === 'string' ? undefined : sole.session);
  }

  #refused({ server }: AskSource, method: string, reason: AskRefusalReason, caller?: SessionFacts): RpcError {
    if (isAsk(method))
      this.#options.onRefused({ server, method, reason, ...(caller && { clientId: caller.clientId }) });
    return refusalOf(method, reason);
  }

  #find(nonce: string, id: unknown): OpenAsk | undefined {
    return typeof id === 'string' ? this.#open.get(nonce)?.get(id) : undefined;
  }

  /** Stores an open request. Returns the function that removes it. */
  #remember(nonce: string, id: string, ask: OpenAsk): () => void {
    const asks = this.#open.get(nonce) ?? new Map<string, OpenAsk>();
    this.#open.set(nonce, asks.set(id, ask));
    return () => {
      asks.delete(id);
      if (asks.size === 0 && this.#open.get(nonce) === asks) this.#open.delete(nonce);
    };
  }
}
