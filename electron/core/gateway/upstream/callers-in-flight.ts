import type { UpstreamLink } from '../../sessions/server-link.ts';
import { callerOf, type GatewayReply, type SessionFacts } from '../types.ts';

/** A client's session as what belongs to no call reaches it. One object for as long as the session lasts. */
export interface SessionChannel {
  readonly facts: SessionFacts;
  /** It holds a stream open for what belongs to no call. */
  readonly isListening: boolean;
  /**
   * Sends a notification down the session's own stream (GET) where that is open; else it is owed, and rides on the stream
   * of the session's next request. The same notification is owed once, and no more than some hundred are.
   */
  owe(notification: object): void;
}

/** One call that was sent over a link. */
export interface RelayedCall {
  readonly session: SessionFacts;
  readonly reply: GatewayReply;
}

/** The one session that ever called, with calls in flight. */
export interface SoleCaller {
  readonly session: SessionFacts;
  /** The responses of its calls that are open, the newest first. */
  readonly replies: readonly GatewayReply[];
}

/** More are forgotten, the oldest first. */
const MAX_FORMER = 1000;

/**
 * Who has calls in flight over one link. What a server says without naming a call can be about any call that it ever got,
 * also one that it answered long ago; so it has a receiver only where no other client, and not the window, ever called. Of
 * the same client's other sessions those count that have called and are still there: a program ends most without a word.
 */
export class CallersInFlight {
  readonly #link: Pick<UpstreamLink, 'callers'>;
  readonly #calls = new Set<RelayedCall>();
  readonly #isThere: (nonce: string) => boolean;
  /** Nonces of all sessions that ever called. */
  readonly #called = new Set<string>();

  /** @param isThere whether the session listens to its server */
  constructor(link: Pick<UpstreamLink, 'callers'>, isThere: (nonce: string) => boolean) {
    this.#link = link;
    this.#isThere = isThere;
  }

  /** Calls in flight; 0 proves that nothing leaked. */
  get size(): number {
    return this.#calls.size;
  }

  /** Called just before the call is sent. The function that is returned is called when its caller waits no longer. Idempotent. */
  begin(call: RelayedCall): () => void {
    const { session, reply } = call;
    const own = { session, reply };
    this.#link.callers.note(callerOf(session));
    this.#called.add(session.nonce);
    for (const oldest of this.#called) if (this.#called.size > MAX_FORMER) this.#called.delete(oldest);
    this.#calls.add(own);
    return () => void this.#calls.delete(own);
  }

  /** The only session that ever called, while it has calls in flight; or why there is none. */
  sole(): SoleCaller | 'nobody' | 'several' {
    const [first] = this.#calls;
    if (!first) return 'nobody';
    const { session } = first;
    if (this.#link.callers.includeOther(callerOf(session)) || this.#hasTwin(session)) return 'several';
    const open = [...this.#calls].map(({ reply }) => reply).filter(({ isOpen }) => isOpen);
    return { session, replies: open.reverse() };
  }

  #hasTwin({ nonce }: SessionFacts): boolean {
    const isOther = (call: RelayedCall) => call.session.nonce !== nonce;
    if ([...this.#calls].some(isOther)) return true;
    return [...this.#called].some((other) => other !== nonce && this.#isThere(other));
  }

  /** The link has ended, and with it all that the server could say. */
  dispose(): void {
    this.#calls.clear();
  }
}
