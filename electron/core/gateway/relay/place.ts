import { CallTurns, type CallEnd } from '../../sessions/call-turns.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { Slot } from '../../sessions/slot.ts';
import type { CallLimits } from '../../mcp/call-ledger.ts';
import type { AskRouter } from './ask-router.ts';
import { CallersInFlight, type CallInFlight, type SessionChannel } from './callers-in-flight.ts';
import { ElicitationOwners } from './elicitation-owners.ts';
import { FanOut, type ChangedList } from './fan-out.ts';
import { LevelArbiter, type LoggingLevel } from './level-arbiter.ts';
import type { RelayOptions } from './relay-options.ts';
import { SubscriptionCounter } from './subscription-counter.ts';
import { TurnLine } from './turn-line.ts';

/** A client's session at a place. */
export interface Guest {
  readonly channel: SessionChannel;
  /** The place has another link: its session is to stay open for as long as the guest is here. */
  onLink(): void;
  /** The link has ended, and what the guests subscribed to is to be told to the next one. False where it does not see to that. */
  comeBack(): boolean;
}

export interface PlaceOptions extends Pick<RelayOptions, 'clock' | 'catalogue' | 'onAnswerOrder'> {
  readonly server: string;
  readonly slot: Slot;
  readonly asks: AskRouter;
  /** The server's setting for calls. */
  readonly limits: () => CallLimits;
  /** Its link has ended. */
  readonly onDisconnected: (place: Place) => void;
}

/** What there is of a place while its link lasts. */
interface Connected {
  readonly link: UpstreamLink;
  readonly callers: CallersInFlight;
  readonly fanOut: FanOut;
  readonly turns: CallTurns;
  readonly undoes: readonly (() => void)[];
}

/** What a guest wants of its server beside its calls. It goes along when the guest moves to another place. */
export interface GuestWishes {
  readonly level: LoggingLevel | undefined;
  /** What it subscribed to. */
  readonly uris: readonly string[];
}

/** One slot of one server, and the sessions of clients that use it: what it knows of them outlives a restart of the server. */
export class Place {
  readonly levels = new LevelArbiter();
  readonly subscriptions = new SubscriptionCounter();
  readonly elicitations = new ElicitationOwners();
  readonly line = new TurnLine();
  readonly #options: PlaceOptions;
  /** By the nonce of their session. */
  readonly #guests = new Map<string, Guest>();
  #connected: Connected | undefined;
  #catalogueKey: string | undefined;

  constructor(options: PlaceOptions) {
    this.#options = options;
  }

  get slot(): Slot {
    return this.#options.slot;
  }
  get isEmpty(): boolean {
    return this.#guests.size === 0;
  }
  get isConnected(): boolean {
    return this.#connected !== undefined;
  }
  /** Key of what the catalogue learns here; undefined before the first link. */
  get catalogueKey(): string | undefined {
    return this.#catalogueKey;
  }

  /** @param wishes of the place that it comes from */
  join(guest: Guest, wishes?: GuestWishes): void {
    const { nonce } = guest.channel.facts;
    this.#guests.set(nonce, guest);
    if (wishes?.level) this.levels.set(nonce, wishes.level);
    if (wishes) this.subscriptions.adopt(guest.channel, wishes.uris);
  }

  /** Returns what it wanted here. */
  leave(nonce: string): GuestWishes {
    const wishes = { level: this.levels.wishOf(nonce), uris: this.subscriptions.of(nonce) };
    this.#guests.delete(nonce);
    this.levels.forget(nonce);
    this.subscriptions.forget(nonce);
    this.line.forget(nonce);
    return wishes;
  }

  /** Calls of guests go over this link from now on: it is told what the former one was. Idempotent. */
  attach(link: UpstreamLink, catalogueKey: string): void {
    if (this.#connected?.link === link || link.hasEnded) return;
    this.#disconnect();
    this.#catalogueKey = catalogueKey;
    this.#connected = this.#connect(link);
    this.levels.attach(link);
    this.subscriptions.attach(link);
    this.#options.catalogue.learn(link, catalogueKey);
    void link.closed.then(() => this.#ended(link));
    for (const guest of [...this.#guests.values()]) guest.onLink();
  }

  /** A call is about to be sent over the link. The function that is returned is called at its end. */
  begin(call: CallInFlight): (() => void) | undefined {
    return this.#connected?.callers.begin(call);
  }

  /** A call of a tool is about to be sent over the link. The function that is returned is called at its end. */
  beginTool(): ((end: CallEnd) => void) | undefined {
    return this.#connected?.turns.begin();
  }

  /** A list of the server is another one now. */
  listChanged(list: ChangedList): void {
    this.#connected?.fanOut.listChanged(list);
  }

  dispose(): void {
    this.#guests.clear();
    this.levels.dispose();
    this.#disconnect();
  }

  #connect(link: UpstreamLink): Connected {
    const { clock, asks, server, limits, onAnswerOrder } = this.#options;
    const { elicitations, levels, subscriptions } = this;
    const callers = new CallersInFlight(
      link,
      (nonce) => this.#guests.get(nonce)?.channel.isListening === true,
    );
    const fanOut = new FanOut({
      clock,
      callers,
      levels,
      subscriptions,
      elicitations,
      sessions: () => this.#channels(),
    });
    const turns = new CallTurns(
      () => clock.now(),
      (order) => onAnswerOrder(server, order),
    );
    const undoes = [fanOut.attach(link), asks.attach(link, { server, callers, elicitations, limits })];
    return { link, callers, fanOut, turns, undoes };
  }

  *#channels(): Iterable<SessionChannel> {
    for (const { channel } of [...this.#guests.values()]) yield channel;
  }

  #ended(link: UpstreamLink): void {
    if (this.#connected?.link !== link) return;
    this.#disconnect();
    this.#options.onDisconnected(this);
    if (this.subscriptions.size === 0) return;
    for (const guest of this.#guests.values()) if (guest.comeBack()) return;
  }

  /** The link may live on, and have another owner of what it asks. */
  #disconnect(): void {
    const former = this.#connected;
    this.#connected = undefined;
    for (const undo of former?.undoes ?? []) undo();
    former?.callers.dispose();
    former?.fanOut.dispose();
  }
}
