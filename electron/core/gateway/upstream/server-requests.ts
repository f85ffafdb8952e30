import type { AskRefusalReason } from '../../../../shared/gateway.ts';
import type { Clock } from '../../clock.ts';
import type { CallLimits } from '../../mcp/call-ledger.ts';
import { INTERNAL_ERROR, RpcError } from '../../mcp/rpc-error.ts';
import type { AnswerRequest } from '../../mcp/server-requests.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { InboundMessage, SessionFacts } from '../types.ts';
import type { CallersInFlight, SoleCaller } from './callers-in-flight.ts';
import type { ElicitationOwners } from './fan-out.ts';
import { isAsk, OpenAsk, receiverOf, refusalOf, settleWith } from './open-ask.ts';

export interface AskRefusal {
  readonly server: string;
  readonly method: string;
  readonly reason: AskRefusalReason;
  /** The one client that it could have been about, where there was one. */
  readonly clientId?: string;
}

/** One link as asks come from it. */
export interface AskSource {
  readonly server: string;
  readonly callers: CallersInFlight;
  /** The questions of the server that are answered elsewhere; see `FanOut`. */
  readonly elicitations: ElicitationOwners;
  /**
   * A client may take as long to answer as its call may take in all: a person is asked, and the call's own deadline stands still.
   * Read at each ask.
   */
  readonly limits: () => CallLimits;
}

export interface AskRouterOptions {
  readonly clock: Clock;
  /** Begins the ids that clients are asked under. New for each run of the panel: an answer to an earlier run settles nothing. */
  readonly idPrefix: string;
  /** A server asked, and no client was. */
  readonly onRefused: (refusal: AskRefusal) => void;
}

/**
 * What servers ask their clients goes to the one session that ever called over the link, and back. Nobody else
 * is ever asked, because the question may quote the caller's own data.
 */
export class AskRouter {
  readonly #options: AskRouterOptions;
  /** Open asks by the nonce of the session that was asked, then by our id. */
  readonly #open = new Map<string, Map<string, OpenAsk>>();
  #lastId = 0;

  constructor(options: AskRouterOptions) {
    this.#options = options;
  }

  /** Asks without an answer; 0 proves that nothing leaked. */
  get size(): number {
    return [...this.#open.values()].reduce((sum, asks) => sum + asks.size, 0);
  }

  /** Whether the session has been asked something, and has not answered. */
  isAsked({ nonce }: SessionFacts): boolean {
    return this.#open.has(nonce);
  }

  /** Answers what the server of the link asks, until the undo or the end of the link. @throws Error when the link has an owner of that */
  attach(link: UpstreamLink, source: AskSource): () => void {
    return link.onRequest((...asked) => this.#ask(link, source, ...asked));
  }

  /** A client answers (a POST with `result` or `error`). False when it was asked nothing under this id, or no longer. */
  settle({ nonce }: SessionFacts, message: InboundMessage): boolean {
    const ask = this.#find(nonce, message.id);
    if (!ask) return false;
    settleWith(ask, message);
    return true;
  }

  /** A client sends `notifications/progress`. False when its token is none of ours. */
  progressed({ nonce }: SessionFacts, params: Readonly<Record<string, unknown>> = {}): boolean {
    const ask = this.#find(nonce, params['progressToken']);
    ask?.progressed(params);
    return ask !== undefined;
  }

  /** The session is over: it answers nothing any more. */
  sessionEnded({ nonce }: SessionFacts): void {
    for (const ask of [...(this.#open.get(nonce)?.values() ?? [])])
      ask.fail(new RpcError(INTERNAL_ERROR, 'The session of the client has ended.'));
  }

  dispose(): void {
    for (const asks of [...this.#open.values()])
      for (const ask of [...asks.values()]) ask.callOff('The panel is quitting.');
  }

  async #ask(
    link: UpstreamLink,
    source: AskSource,
    ...[request, signal, asking]: Parameters<AnswerRequest>
  ): Promise<Record<string, unknown>> {
    const { session, replies } = this.#receiverOf(source, request.method);
    this.#lastId += 1;
    const id = `${this.#options.idPrefix}-${this.#lastId}`;
    const { maxTotalMs: limitMs } = source.limits();
    const ask = new OpenAsk({ clock: this.#options.clock, link, id, request, limitMs });
    const forget = this.#remember(session.nonce, id, ask);
    const onAbort = () => ask.callOff('The server called the request off.');
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      // Known before it is sent, because a client may answer within the same turn.
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

  /** @throws RpcError the refusal, which is told where the method is one that asks */
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

  /** Returns the undo. */
  #remember(nonce: string, id: string, ask: OpenAsk): () => void {
    const asks = this.#open.get(nonce) ?? new Map<string, OpenAsk>();
    this.#open.set(nonce, asks.set(id, ask));
    return () => {
      asks.delete(id);
      if (asks.size === 0 && this.#open.get(nonce) === asks) this.#open.delete(nonce);
    };
  }
}
