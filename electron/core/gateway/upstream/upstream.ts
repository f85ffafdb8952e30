import type { CallLimits } from '../../mcp/open-call.ts';
import { rpcErrorIn } from '../../mcp/rpc-error.ts';
import { CallTurns, type AnswerOrder } from '../../sessions/sharing/call-turns.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import type { Slot } from '../../sessions/session-policy.ts';
import type { Clock } from '../../clock.ts';
import { CallersInFlight, type RelayedCall, type SessionChannel } from './callers-in-flight.ts';
import { ElicitationOwners, FanOut, type ChangedList } from './fan-out.ts';
import { LevelArbiter, type LoggingLevel } from './log-levels.ts';
import type { AskRouter } from './server-requests.ts';
import { SubscriptionCounter } from './subscriptions.ts';
import { TurnLine } from './turn-line.ts';

/** The members of a client's session that its upstream needs. */
export interface UpstreamSession extends SessionChannel {
  /** Called when there is a new connection. The session then takes a lease that keeps it open. */
  upstreamOpened(): void;
  /** Called after the end of a connection if subscriptions need a new one. Returns false if the session opens none. */
  reopenUpstream(): boolean;
}

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'learn'>;
  /** Called with the observed answer order of a server, perhaps several times with the same order. */
  readonly onAnswerOrder: (server: string, order: AnswerOrder) => void;
  readonly server: string;
  readonly slot: Slot;
  readonly asks: AskRouter;
  /** Returns the current call limits of the server. */
  readonly limits: () => CallLimits;
  /** Called after the end of the connection. */
  readonly onDisconnected: (upstream: Upstream) => void;
}

/** Parts that exist while the connection lasts. */
interface Connected {
  readonly link: ServerLink;
  readonly callers: CallersInFlight;
  readonly fanOut: FanOut;
  readonly turns: CallTurns;
  readonly undoes: readonly (() => void)[];
}

/** Log level and subscriptions of a session. They move with the session to another slot. */
export interface SessionWishes {
  readonly level: LoggingLevel | undefined;
  /** Subscribed URIs. */
  readonly uris: readonly string[];
}

/** Function to call at the end of a call. @param error error of the call, if it failed */
export type EndCall = (error?: unknown) => void;

const URL_ELICITATION_REQUIRED = -32042;

/**
 * One slot of one server, with the client sessions that use it. It keeps its levels and subscriptions across a restart of the
 * server.
 */
export class Upstream {
  readonly levels = new LevelArbiter();
  readonly subscriptions = new SubscriptionCounter();
  readonly elicitations = new ElicitationOwners();
  readonly line = new TurnLine();
  readonly slot: Slot;
  readonly #options: UpstreamOptions;
  /** Sessions by their nonce. */
  readonly #sessions = new Map<string, UpstreamSession>();
  #connected: Connected | undefined;
  #catalogueKey: string | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.slot = options.slot;
  }

  /** True if no session uses the upstream and its server can no longer send anything for earlier sessions. */
  get isUnused(): boolean {
    return this.#sessions.size === 0 && this.#connected === undefined;
  }
  /** Key of the upstream's catalogue entry; undefined before the first connection. */
  get catalogueKey(): string | undefined {
    return this.#catalogueKey;
  }

  /** Adds a session. @param wishes log level and subscriptions that the session had at the upstream it left */
  join(session: UpstreamSession, wishes?: SessionWishes): void {
    const { nonce } = session.facts;
    this.#sessions.set(nonce, session);
    if (wishes?.level) this.levels.set(nonce, wishes.level);
    if (wishes) this.subscriptions.adopt(session, wishes.uris);
  }

  /** Removes a session. Returns its level and subscriptions. */
  leave({ facts: { nonce } }: UpstreamSession): SessionWishes {
    const wishes = { level: this.levels.wishOf(nonce), uris: this.subscriptions.of(nonce) };
    this.#sessions.delete(nonce);
    this.levels.forget(nonce);
    this.subscriptions.forget(nonce);
    this.line.forget(nonce);
    return wishes;
  }

  /**
   * Moves calls to this connection, and sends to it the log levels and subscriptions that the last connection had. Idempotent.
   */
  attach(link: ServerLink, catalogueKey: string): void {
    if (this.#connected?.link === link || link.hasEnded) return;
    this.#disconnect();
    this.#catalogueKey = catalogueKey;
    this.#connected = this.#connect(link);
    this.levels.attach(link);
    this.subscriptions.attach(link);
    this.#options.catalogue.learn(link, catalogueKey);
    void link.closed.then(() => this.#ended(link));
    for (const session of [...this.#sessions.values()]) session.upstreamOpened();
  }

  /**
   * Records a call before it is sent, so that server messages reach its session. @param isTool true if the call counts for the
   * answer order
   */
  begin(call: RelayedCall, isTool: boolean): EndCall {
    const endCall = this.#connected?.callers.begin(call);
    const turns = isTool ? this.#connected?.turns : undefined;
    const turn = turns?.begin();
    return (error) => {
      if (turn) turns?.ended(turn, error === undefined ? 'result' : 'unclear');
      const said = error === undefined ? undefined : rpcErrorIn(error);
      // The client has to open a web address before it calls again. The server reports when that is done.
      if (said?.code === URL_ELICITATION_REQUIRED) this.elicitations.noteAll(said.data, call.session.nonce);
      endCall?.();
    };
  }

  /** Makes a session take a lease if subscriptions need a connection. */
  reopen(): void {
    if (this.#connected || this.subscriptions.size === 0) return;
    for (const session of this.#sessions.values()) if (session.reopenUpstream()) return;
  }

  /** Forwards a change of a list. */
  listChanged(list: ChangedList): void {
    this.#connected?.fanOut.listChanged(list);
  }

  dispose(): void {
    this.#sessions.clear();
    this.levels.dispose();
    this.#disconnect();
  }

  #connect(link: ServerLink): Connected {
    const { clock, asks, server, limits, onAnswerOrder } = this.#options;
    const { elicitations, levels, subscriptions } = this;
    const callers = new CallersInFlight(link, (nonce) => this.#sessions.get(nonce)?.isListening === true);
    const sessions = () => [...this.#sessions.values()];
    const fanOut = new FanOut({ clock, callers, levels, subscriptions, elicitations, sessions });
    const turns = new CallTurns(clock, (order) => onAnswerOrder(server, order));
    const undoes = [fanOut.attach(link), asks.attach(link, { server, callers, elicitations, limits })];
    return { link, callers, fanOut, turns, undoes };
  }

  #ended(link: ServerLink): void {
    if (this.#connected?.link !== link) return;
    this.#disconnect();
    this.#options.onDisconnected(this);
    this.reopen();
  }

  /** Detaches from the connection, which may continue to exist with another handler for its server requests. */
  #disconnect(): void {
    const former = this.#connected;
    this.#connected = undefined;
    for (const undo of former?.undoes ?? []) undo();
    former?.callers.dispose();
    former?.fanOut.dispose();
  }
}
