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
  /** Called when a connection has ended but subscriptions need one. Returns false if this session does not open a new one. */
  reopenUpstream(): boolean;
}

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly catalogue: Pick<Catalogue, 'learn'>;
  /** Called when the server was observed to answer calls one at a time or in parallel; it may repeat the same observation. */
  readonly onAnswerOrder: (server: string, order: AnswerOrder) => void;
  readonly server: string;
  readonly slot: Slot;
  readonly asks: AskRouter;
  /** Returns the current call limits of the server. */
  readonly limits: () => CallLimits;
  /** Called after the end of the connection. */
  readonly onDisconnected: (upstream: Upstream) => void;
}

/** Objects that exist only while the connection lasts. */
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

/** Function to call when a call ends. @param error the call's error, if it failed */
export type EndCall = (error?: unknown) => void;

const URL_ELICITATION_REQUIRED = -32042;

/** One slot of one server, with the client sessions that use it. Keeps its levels and subscriptions across a restart. */
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

  /** True if no session uses the upstream and there is no connection over which the server could still send something. */
  get isUnused(): boolean {
    return this.#sessions.size === 0 && this.#connected === undefined;
  }
  /** Key under which the server's lists are stored in the catalogue; undefined before the first connection. */
  get catalogueKey(): string | undefined {
    return this.#catalogueKey;
  }

  /** Adds a session. @param wishes log level and subscriptions that the session had at its former slot */
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

  /** Uses this connection from now on, and sends the sessions' log levels and subscriptions over it. Idempotent. */
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
   * Records a call before it is sent, so that server messages reach its session. @param isTool true for tool calls, from which
   * the panel learns whether the server answers one call at a time
   */
  begin(call: RelayedCall, isTool: boolean): EndCall {
    const endCall = this.#connected?.callers.begin(call);
    const turns = isTool ? this.#connected?.turns : undefined;
    const turn = turns?.begin();
    return (error) => {
      if (turn) turns?.ended(turn, error === undefined ? 'result' : 'unclear');
      const said = error === undefined ? undefined : rpcErrorIn(error);
      // This error tells the client to have the user open a web address before it calls again. The server later reports when
      // the user is done, so the session of each elicitation id is remembered.
      if (said?.code === URL_ELICITATION_REQUIRED) this.elicitations.noteAll(said.data, call.session.nonce);
      endCall?.();
    };
  }

  /** If subscriptions need a connection and there is none, makes one of the sessions open it. */
  reopen(): void {
    if (this.#connected || this.subscriptions.size === 0) return;
    for (const session of this.#sessions.values()) if (session.reopenUpstream()) return;
  }

  /** Notifies the sessions that a list of the server has changed. */
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
