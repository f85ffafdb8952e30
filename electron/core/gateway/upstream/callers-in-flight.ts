import { OpenSet } from '../../open-map.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import type { GatewayReply, SessionFacts } from '../types.ts';

/**
 * Interface to a client's session for messages that belong to no call. It is the same object for the whole life of the session.
 */
export interface SessionChannel {
  readonly facts: SessionFacts;
  /** True while the session keeps a stream open for messages outside calls. */
  readonly isListening: boolean;
  /**
   * Sends a notification on the session's own stream (GET) if it is open; otherwise queues it for the stream of the session's
   * next request. Equal notifications are queued once, and the queue is bounded.
   */
  owe(notification: object): void;
}

/**
 * Returns the name under which a client is recorded as a caller of a connection; all sessions of the client have the same one.
 */
export function callerOf({ clientId }: Pick<SessionFacts, 'clientId'>): string {
  return `gateway:${clientId}`;
}

/** One call that was sent over a connection. */
export interface RelayedCall {
  readonly session: SessionFacts;
  readonly reply: GatewayReply;
}

/** The session with calls in flight, if no other session can be meant by a server message that names no call. */
export interface SoleCaller {
  readonly session: SessionFacts;
  /** Open responses of the session's calls, newest first. */
  readonly replies: readonly GatewayReply[];
}

/** Maximum remembered session nonces; the oldest are forgotten first. */
const MAX_FORMER = 1000;

/**
 * Sessions with calls in flight over one connection. A server message that names no call may belong to any earlier call, even
 * an answered one. So it is sent to a client only if no other client and not the app window has ever called over the
 * connection. Other sessions of the same client matter only if they have called and still exist, because a client program
 * usually ends without notice.
 */
export class CallersInFlight {
  readonly #link: Pick<ServerLink, 'callers'>;
  readonly #calls = new OpenSet<RelayedCall>();
  readonly #isThere: (nonce: string) => boolean;
  /** Nonces of the sessions that have called, up to `MAX_FORMER`. */
  readonly #called = new Set<string>();

  /** @param isThere returns true if the session of this nonce still has an open stream */
  constructor(link: Pick<ServerLink, 'callers'>, isThere: (nonce: string) => boolean) {
    this.#link = link;
    this.#isThere = isThere;
  }

  /** Number of calls in flight; 0 proves that nothing leaked. */
  get size(): number {
    return this.#calls.size;
  }

  /** Records a call just before it is sent. The returned function is called when the caller stops waiting; it is idempotent. */
  begin(call: RelayedCall): () => void {
    const { session, reply } = call;
    const own = { session, reply };
    this.#link.callers.note(callerOf(session));
    this.#called.add(session.nonce);
    if (this.#called.size > MAX_FORMER) this.#called.delete(this.#called.values().next().value!);
    this.#calls.add(own);
    return () => void this.#calls.delete(own);
  }

  /**
   * Returns the session that a server message without a call must be meant for, while it has calls in flight; otherwise the
   * reason why there is no such session.
   */
  sole(): SoleCaller | 'nobody' | 'several' {
    const [first] = this.#calls.values();
    if (!first) return 'nobody';
    const { session } = first;
    if (this.#link.callers.includeOther(callerOf(session)) || this.#hasTwin(session)) return 'several';
    const open = [...this.#calls.values()].map(({ reply }) => reply).filter(({ isOpen }) => isOpen);
    return { session, replies: open.reverse() };
  }

  #hasTwin({ nonce }: SessionFacts): boolean {
    const isOther = (call: RelayedCall) => call.session.nonce !== nonce;
    if ([...this.#calls.values()].some(isOther)) return true;
    return [...this.#called].some((other) => other !== nonce && this.#isThere(other));
  }

  /** Drops all callers, because the connection has ended and the server sends nothing more. */
  dispose(): void {
    this.#calls.clear();
  }
}
