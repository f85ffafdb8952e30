import type { Clock, Disposable } from '../../clock.ts';
import type { Reply, SessionFacts } from '../types.ts';

/** A client's session as what belongs to no call reaches it. One object for as long as the session lasts. */
export interface SessionChannel {
  readonly facts: SessionFacts;
  /**
   * Sends a notification down the session's own stream (GET) where that is open; else it is owed, and rides on the stream
   * of the session's next request. The same notification is owed once, and no more than some hundred are.
   */
  owe(notification: object): void;
}

/** One call that was sent over a link. */
export interface CallInFlight {
  readonly session: SessionFacts;
  readonly reply: Reply;
}

/** How a call in flight ends; the first one counts. */
export interface CallEnding {
  /** The server has answered: it says nothing more on the call's behalf. */
  answered(): void;
  /** The caller waits no longer, but the server may go on: what it says still may be about this call. */
  abandoned(): void;
}

/** The one session that has calls in flight. */
export interface SoleCaller {
  readonly session: SessionFacts;
  /** The responses of its calls that are open, the newest first. */
  readonly replies: readonly Reply[];
}

export interface CallersInFlightOptions {
  readonly clock: Clock;
  /** Calls that anybody has in flight over the link, `UpstreamLink.callsInFlight`: the window calls servers, too. */
  readonly callsOnLink: () => number;
  /** How long an abandoned call counts. Default 60 s: a server that ignores a cancellation may work on. */
  readonly lingerMs?: number;
}

const LINGER_MS = 60_000;

interface Entry extends CallInFlight {
  linger: Disposable | undefined;
}

/**
 * Who has calls in flight over one link. What a server says without naming a call can be about any of them, so it has a
 * receiver only while they all belong to one session: a foreign message must never reach a client.
 */
export class CallersInFlight {
  readonly #options: CallersInFlightOptions;
  readonly #entries = new Set<Entry>();

  constructor(options: CallersInFlightOptions) {
    this.#options = options;
  }

  /** Calls that count, abandoned ones included; 0 proves that nothing leaked. */
  get size(): number {
    return this.#entries.size;
  }

  /** Called just before the call is sent. */
  begin({ session, reply }: CallInFlight): CallEnding {
    const entry: Entry = { session, reply, linger: undefined };
    this.#entries.add(entry);
    return {
      answered: () => this.#remove(entry),
      abandoned: () => this.#linger(entry),
    };
  }

  /** The only session that has calls in flight, or why there is none. */
  sole(): SoleCaller | 'nobody' | 'several' {
    let session: SessionFacts | undefined;
    let waited = 0;
    const replies: Reply[] = [];
    for (const entry of this.#entries) {
      if (session && session.nonce !== entry.session.nonce) return 'several';
      session = entry.session;
      if (entry.linger === undefined) waited += 1;
      if (entry.reply.isOpen) replies.push(entry.reply);
    }
    if (this.#options.callsOnLink() > waited) return 'several';
    return session ? { session, replies: replies.reverse() } : 'nobody';
  }

  /** The link has ended, and with it all that the server could say. */
  dispose(): void {
    for (const entry of this.#entries) this.#remove(entry);
  }

  #linger(entry: Entry): void {
    if (entry.linger || !this.#entries.has(entry)) return;
    const { clock, lingerMs = LINGER_MS } = this.#options;
    entry.linger = clock.setTimeout(() => this.#remove(entry), lingerMs);
  }

  #remove(entry: Entry): void {
    entry.linger?.dispose();
    this.#entries.delete(entry);
  }
}
