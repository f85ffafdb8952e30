import type { Clock, WallClock } from '../../clock.ts';
import { changedLists, listChanged, type ChangedList } from '../relay/fan-out.ts';
import type { RelayedSession, SessionRelay } from '../relay/session-relay.ts';
import { MAX_URIS_PER_SESSION } from '../relay/subscription-counter.ts';
import type { Reply, SessionFacts } from '../types.ts';

/**
 * Room for a change of every list and of every resource that a session may have subscribed to, because all of them may have
 * changed while its server was away. A client that never comes back for them loses the rest.
 */
const MAX_OWED = MAX_URIS_PER_SESSION + changedLists.length;

export interface ClientSessionOptions {
  readonly facts: SessionFacts;
  /** As the person named the client. */
  readonly clientName: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly createRelay: (session: ClientSession) => SessionRelay;
}

/** What of one client's session is in memory; the session itself is in its id, and outlives this. */
export class ClientSession implements RelayedSession {
  readonly facts: SessionFacts;
  readonly relay: SessionRelay;
  /** As the person named the client when it was last seen. */
  clientName: string;
  /** Epoch milliseconds of its last request. */
  lastSeenAt: number;
  readonly #options: ClientSessionOptions;
  /** Monotonic time of its last request, of the end of its stream where that was later. */
  #seenAtMs: number;
  /** Notifications by their text, so that none is owed twice. */
  readonly #owed = new Map<string, object>();
  /** What the lists of the server have become since the session began; undefined before the first request. */
  #recalling: Promise<void> | 'done' | undefined;
  #stream: Reply | undefined;
  #isResting = false;

  constructor(options: ClientSessionOptions) {
    const { facts, clientName, clock, wallClock, createRelay } = options;
    this.#options = options;
    this.facts = facts;
    this.clientName = clientName;
    this.lastSeenAt = wallClock.epochMs();
    this.#seenAtMs = clock.now();
    this.relay = createRelay(this);
  }

  seen(clientName: string): void {
    const { clock, wallClock } = this.#options;
    this.clientName = clientName;
    this.lastSeenAt = wallClock.epochMs();
    this.#seenAtMs = clock.now();
    this.#isResting = false;
    this.relay.way.wake();
  }

  /** Whether it has given its lease back until its next request. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /** Its level, its subscriptions and what it is owed stay. */
  rest(): void {
    this.#isResting = true;
    this.relay.way.rest();
  }

  /** Whether it has a call under way, or a stream open. */
  get isInUse(): boolean {
    return this.relay.calls.size > 0 || this.isListening;
  }

  get isListening(): boolean {
    return this.#stream?.isOpen === true;
  }

  /** How long nothing has come of the client; 0 while it holds a stream open. */
  silentMs(nowMs: number): number {
    return this.#stream?.isOpen ? 0 : nowMs - this.#seenAtMs;
  }

  /**
   * The session may be older than what is in memory: it is owed every change of a list since it began, because what it was
   * told of them ended with the last run of the panel. Undefined once that is known; the promise never rejects.
   */
  recalled(): Promise<void> | undefined {
    this.#recalling ??= this.#recall();
    return this.#recalling === 'done' ? undefined : this.#recalling;
  }

  /** The stream for what belongs to no call. A second one takes the place of the first: a refusal would end some clients' sessions. */
  listen(reply: Reply): void {
    this.#stream?.close();
    this.#stream = reply;
    reply.open();
    reply.onGone(() => {
      if (this.#stream !== reply) return;
      this.#stream = undefined;
      this.#seenAtMs = this.#options.clock.now();
    });
    this.payTo(reply);
    void this.recalled();
  }

  owe(notification: object): void {
    if (this.#stream?.isOpen && this.#stream.stream(notification)) return;
    if (this.#owed.size < MAX_OWED) this.#owed.set(JSON.stringify(notification), notification);
  }

  /** Sends what is owed before the answer to a request. */
  payTo(reply: Reply): void {
    for (const [text, notification] of this.#owed) {
      if (!reply.stream(notification)) return;
      this.#owed.delete(text);
    }
  }

  #recall(): Promise<void> | 'done' {
    const oweAll = (lists: readonly ChangedList[]) => {
      for (const list of lists) this.owe(listChanged(list));
      this.#recalling = 'done';
    };
    const lists = this.relay.way.listsChangedSince(this.facts.issuedAt ?? 0);
    if (lists instanceof Promise) return lists.then(oweAll);
    oweAll(lists);
    return 'done';
  }

  /** Its calls are given up, its stream is closed. */
  end(reason: string): void {
    this.relay.end(reason);
    this.#stream?.close();
    this.#stream = undefined;
  }
}
