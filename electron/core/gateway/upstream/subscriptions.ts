import { PanelError } from '../../../../shared/error-codes.ts';
import { SerialQueue } from '../../serial-queue.ts';
import type { ServerLink } from '../../sessions/server-link.ts';
import type { CallOptions } from '../../mcp/mcp-connection.ts';
import type { SessionChannel } from './callers-in-flight.ts';

/** Maximum subscriptions per session, because each is kept for as long as the session lasts. */
export const MAX_URIS_PER_SESSION = 1000;

/** Options for the panel's own requests, after a restart of the server or the end of a session. */
const OWN: CallOptions = { isOwnQuestion: true };

interface Subscriber {
  readonly session: SessionChannel;
  /** True if no server had the subscription for a while, so that the session may have missed a change. */
  mayHaveMissed: boolean;
}

interface Subscription {
  /** Subscribers by the nonce of their session. */
  readonly sessions: Map<string, Subscriber>;
  /** Queue of requests to the server about this resource, because they must arrive in order. */
  readonly queue: SerialQueue;
  /** Connection over which the server has the subscription; undefined if it has none. */
  link: ServerLink | undefined;
}

/**
 * Resource subscriptions of the client sessions at one upstream (a server and slot), kept across restarts of the server. For
 * each resource, the server gets one subscribe request, and an unsubscribe request once the last session has unsubscribed. A
 * session that may have missed changes while there was no connection gets one `updated` notification after the next connection
 * has subscribed, so that its client reads the resource again.
 */
export class SubscriptionCounter {
  readonly #subscriptions = new Map<string, Subscription>();
  #link: ServerLink | undefined;

  /** Number of subscribed resources; 0 proves that nothing leaked. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** Sends all subscriptions to a new connection. One that the server refuses is kept and tried again after the next restart. */
  attach(link: ServerLink): void {
    if (this.#link === link) return;
    this.#link = link;
    for (const [uri, subscription] of this.#subscriptions) {
      for (const subscriber of subscription.sessions.values()) subscriber.mayHaveMissed = true;
      void this.#settle(uri, subscription, OWN).catch(() => undefined);
    }
  }

  /**
   * Subscribes the session. @throws PanelError CONFIG_INVALID if the session has too many subscriptions, STOPPED without a
   * connection, or the server's error
   */
  async subscribe(session: SessionChannel, uri: string): Promise<void> {
    const { nonce } = session.facts;
    const subscription = this.#subscriptions.get(uri) ?? newSubscription();
    const known = subscription.sessions.get(nonce);
    if (!known) this.#checkRoom(nonce);
    this.#subscriptions.set(uri, subscription);
    subscription.sessions.set(nonce, known ?? { session, mayHaveMissed: false });
    try {
      await this.#settle(uri, subscription);
    } catch (error) {
      subscription.sessions.delete(nonce);
      this.#forgetUnused(uri, subscription);
      throw error;
    }
  }

  /** Returns the URIs that the session subscribed to. */
  of(nonce: string): readonly string[] {
    return [...this.#subscriptions].flatMap(([uri, { sessions }]) => (sessions.has(nonce) ? [uri] : []));
  }

  /**
   * Takes over the subscriptions of a session that has moved here from another slot of the server. Subscriptions that the
   * server refuses are tried again after its next restart.
   */
  adopt(session: SessionChannel, uris: readonly string[]): void {
    for (const uri of uris) {
      const subscription = this.#subscriptions.get(uri) ?? newSubscription();
      this.#subscriptions.set(uri, subscription);
      subscription.sessions.set(session.facts.nonce, { session, mayHaveMissed: true });
      void this.#settle(uri, subscription).catch(() => undefined);
    }
  }

  /** Unsubscribes the session if it is subscribed. @throws the server's error if the session was the last subscriber */
  async unsubscribe({ facts }: SessionChannel, uri: string): Promise<void> {
    const subscription = this.#subscriptions.get(uri);
    if (subscription?.sessions.delete(facts.nonce)) await this.#settle(uri, subscription);
  }

  /** Drops the subscriptions of an ended session. */
  forget(nonce: string): void {
    for (const [uri, subscription] of this.#subscriptions)
      if (subscription.sessions.delete(nonce))
        void this.#settle(uri, subscription, OWN).catch(() => undefined);
  }

  /** Returns the sessions that subscribed to the resource, or to a resource that contains it (MCP specification, resources). */
  subscribersOf(uri: unknown): readonly SessionChannel[] {
    if (typeof uri !== 'string') return [];
    const subscribers = new Map<string, SessionChannel>();
    for (const [wanted, { sessions }] of this.#subscriptions)
      if (isWithin(uri, wanted)) for (const [nonce, { session }] of sessions) subscribers.set(nonce, session);
    return [...subscribers.values()];
  }

  /** Sends a subscribe or unsubscribe if the server's state differs from the wanted one when the queue reaches this step. */
  #settle(uri: string, subscription: Subscription, options: CallOptions = {}): Promise<void> {
    return subscription.queue.run(async () => {
      const link = this.#link;
      const isWanted = subscription.sessions.size > 0;
      const isKnown = subscription.link === link && link?.hasEnded === false;
      if (isWanted && !isKnown) {
        if (!link) throw new PanelError('STOPPED', 'The server is not running.');
        await link.request('resources/subscribe', { uri }, options);
        subscription.link = link;
      }
      if (isWanted) return makeUp(uri, subscription);
      subscription.link = undefined;
      try {
        if (isKnown) await link.request('resources/unsubscribe', { uri }, options);
      } finally {
        // The entry is removed only after the server has answered, because a new subscriber waits in the entry's queue.
        this.#forgetUnused(uri, subscription);
      }
    });
  }

  #forgetUnused(uri: string, subscription: Subscription): void {
    if (subscription.sessions.size === 0 && this.#subscriptions.get(uri) === subscription)
      this.#subscriptions.delete(uri);
  }

  #checkRoom(nonce: string): void {
    let count = 0;
    for (const { sessions } of this.#subscriptions.values()) if (sessions.has(nonce)) count += 1;
    if (count < MAX_URIS_PER_SESSION) return;
    throw new PanelError(
      'CONFIG_INVALID',
      `A session subscribes to ${MAX_URIS_PER_SESSION} resources at most.`,
    );
  }
}

/** Sends `updated` to sessions that may have missed a change, only after resubscribing, so that no later change is missed. */
function makeUp(uri: string, { sessions }: Subscription): void {
  for (const subscriber of sessions.values()) {
    if (!subscriber.mayHaveMissed) continue;
    subscriber.mayHaveMissed = false;
    const params = { uri };
    subscriber.session.owe({ jsonrpc: '2.0', method: 'notifications/resources/updated', params });
  }
}

function newSubscription(): Subscription {
  return { sessions: new Map(), queue: new SerialQueue(), link: undefined };
}

function isWithin(uri: string, wanted: string): boolean {
  return uri === wanted || uri.startsWith(wanted.endsWith('/') ? wanted : `${wanted}/`);
}
