import type { CallLimits } from '../../mcp/call-ledger.ts';
import { rpcErrorIn } from '../../mcp/rpc-error.ts';
import { CallTurns, type AnswerOrder } from '../../sessions/sharing/call-turns.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { Slot } from '../../sessions/session-policy.ts';
import type { Clock } from '../../clock.ts';
import { CallersInFlight, type RelayedCall, type SessionChannel } from './callers-in-flight.ts';
import { ElicitationOwners, FanOut, type ChangedList } from './fan-out.ts';
import { LevelArbiter, type LoggingLevel } from './log-levels.ts';
import type { AskRouter } from './server-requests.ts';
import { SubscriptionCounter } from './subscriptions.ts';
import { TurnLine } from './turn-line.ts';

/** A client's session as its upstream knows it. */
export interface UpstreamSession extends SessionChannel {
  /** The upstream has another connection: the session takes a lease of it, so that it stays open. */
  upstreamOpened(): void;
  /** The connection has ended, and the next one is to be told what was subscribed to. False where the session does not see to that. */
  reopenUpstream(): boolean;
}

export interface UpstreamOptions {
  readonly clock: Clock;
  readonly catalogue: { learn(link: UpstreamLink, key: string): void };
  /** Calls showed how a server answers those that are open at the same time. May be told again. */
  readonly onAnswerOrder: (server: string, order: AnswerOrder) => void;
  readonly server: string;
  readonly slot: Slot;
  readonly asks: AskRouter;
  /** The server's setting for calls. */
  readonly limits: () => CallLimits;
  /** Its connection has ended. */
  readonly onDisconnected: (upstream: Upstream) => void;
}

/** What there is of an upstream while its connection lasts. */
interface Connected {
  readonly link: UpstreamLink;
  readonly callers: CallersInFlight;
  readonly fanOut: FanOut;
  readonly turns: CallTurns;
  readonly undoes: readonly (() => void)[];
}

/** What a session wants of its server beside its calls. It goes along when the session moves to another slot. */
export interface SessionWishes {
  readonly level: LoggingLevel | undefined;
  /** What it subscribed to. */
  readonly uris: readonly string[];
}

/** Called at the end of a call. @param error where it failed */
export type EndCall = (error?: unknown) => void;

const URL_ELICITATION_REQUIRED = -32042;

/** One slot of one server, and the sessions of clients that use it: what it knows of them outlives a restart of the server. */
export class Upstream {
  readonly levels = new LevelArbiter();
  readonly subscriptions = new SubscriptionCounter();
  readonly elicitations = new ElicitationOwners();
  readonly line = new TurnLine();
  readonly #options: UpstreamOptions;
  /** By their nonce. */
  readonly #sessions = new Map<string, UpstreamSession>();
  #connected: Connected | undefined;
  #catalogueKey: string | undefined;

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  get slot(): Slot {
    return this.#options.slot;
  }
  /** Whether nobody uses it, and its server can say nothing any more of those who did. */
  get isUnused(): boolean {
    return this.#sessions.size === 0 && this.#connected === undefined;
  }
  /** Key of what the catalogue learns here; undefined before the first connection. */
  get catalogueKey(): string | undefined {
    return this.#catalogueKey;
  }

  /** @param wishes of the upstream that it comes from */
  join(session: UpstreamSession, wishes?: SessionWishes): void {
    const { nonce } = session.facts;
    this.#sessions.set(nonce, session);
    if (wishes?.level) this.levels.set(nonce, wishes.level);
    if (wishes) this.subscriptions.adopt(session, wishes.uris);
  }

  /** Returns what it wanted here. */
  leave({ facts: { nonce } }: UpstreamSession): SessionWishes {
    const wishes = { level: this.levels.wishOf(nonce), uris: this.subscriptions.of(nonce) };
    this.#sessions.delete(nonce);
    this.levels.forget(nonce);
    this.subscriptions.forget(nonce);
    this.line.forget(nonce);
    return wishes;
  }

  /** Calls go over this connection from now on: it is told what the former one was. Idempotent. */
  attach(link: UpstreamLink, catalogueKey: string): void {
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

  /** A call is about to be sent: the server may say things on its behalf while it lasts. @param isTool whether it tells how the server answers calls */
  begin(call: RelayedCall, isTool: boolean): EndCall {
    const endCall = this.#connected?.callers.begin(call);
    const endTurn = isTool ? this.#connected?.turns.begin() : undefined;
    return (error) => {
      endTurn?.(error === undefined ? 'result' : 'unclear');
      const said = rpcErrorIn(error);
      // The client is told to open an address first; the server will say when that was done.
      if (said?.code === URL_ELICITATION_REQUIRED) this.elicitations.noteAll(said.data, call.session.nonce);
      endCall?.();
    };
  }

  /** A list of the server is another one now. */
  listChanged(list: ChangedList): void {
    this.#connected?.fanOut.listChanged(list);
  }

  dispose(): void {
    this.#sessions.clear();
    this.levels.dispose();
    this.#disconnect();
  }

  #connect(link: UpstreamLink): Connected {
    const { clock, asks, server, limits, onAnswerOrder } = this.#options;
    const { elicitations, levels, subscriptions } = this;
    const callers = new CallersInFlight(link, (nonce) => this.#sessions.get(nonce)?.isListening === true);
    const sessions = () => [...this.#sessions.values()];
    const fanOut = new FanOut({ clock, callers, levels, subscriptions, elicitations, sessions });
    const turns = new CallTurns(
      () => clock.now(),
      (order) => onAnswerOrder(server, order),
    );
    const undoes = [fanOut.attach(link), asks.attach(link, { server, callers, elicitations, limits })];
    return { link, callers, fanOut, turns, undoes };
  }

  #ended(link: UpstreamLink): void {
    if (this.#connected?.link !== link) return;
    this.#disconnect();
    this.#options.onDisconnected(this);
    if (this.subscriptions.size === 0) return;
    for (const session of this.#sessions.values()) if (session.reopenUpstream()) return;
  }

  /** The connection may live on, and have another owner of what it asks. */
  #disconnect(): void {
    const former = this.#connected;
    this.#connected = undefined;
    for (const undo of former?.undoes ?? []) undo();
    former?.callers.dispose();
    former?.fanOut.dispose();
  }
}
