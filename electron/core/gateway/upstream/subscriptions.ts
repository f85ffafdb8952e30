import { PanelError } from '../../../../shared/error-codes.ts';
import { SerialQueue } from '../../serial-queue.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { CallOptions } from '../../mcp/mcp-connection.ts';
import type { SessionChannel } from './callers-in-flight.ts';

/** More of one session are refused, because each is kept for as long as the session lasts. */
export const MAX_URIS_PER_SESSION = 1000;

/** No client calls for it now: the server has restarted, or a session is over. */
const OWN: CallOptions = { isOwnQuestion: true };

interface Subscriber {
  readonly session: SessionChannel;
  /** No server that it would have heard from knew of its subscription for a while. */
  mayHaveMissed: boolean;
}

interface Subscription {
  /** Subscribers by their nonce. */
  readonly sessions: Map<string, Subscriber>;
  /** What the server is asked about this resource, one after the other: the last word must be the last that it hears. */
  readonly queue: SerialQueue;
  /** The link whose server knows of it. */
  link: UpstreamLink | undefined;
}

/**
 * Who wants to hear of changes of which resource of one place (a server and slot), across restarts. The server is asked
 * once for each resource, and told when nobody is left. A change that nobody could hear of, because there was no link, is made
 * up for by one `updated` once the next server knows of the subscription: its client reads the resource again.
 */
export class SubscriptionCounter {
  readonly #subscriptions = new Map<string, Subscription>();
  #link: UpstreamLink | undefined;

  /** Resources that somebody subscribed to; 0 proves that nothing leaked. */
  get size(): number {
    return this.#subscriptions.size;
  }

  /** The place has a link: it is told of all subscriptions. One that it refuses now stays, and is tried at the next restart. */
  attach(link: UpstreamLink): void {
    if (this.#link === link) return;
    this.#link = link;
    for (const [uri, subscription] of this.#subscriptions) {
      for (const subscriber of subscription.sessions.values()) subscriber.mayHaveMissed = true;
      void this.#settle(uri, subscription, OWN).catch(() => undefined);
    }
  }

  /** @throws PanelError CONFIG_INVALID when the session has too many, STOPPED without a link, or what the server answered */
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

  /** What the session subscribed to. */
  of(nonce: string): readonly string[] {
    return [...this.#subscriptions].flatMap(([uri, { sessions }]) => (sessions.has(nonce) ? [uri] : []));
  }

  /** The session has subscribed elsewhere, and comes from there. What the server refuses is tried again at the next restart. */
  adopt(session: SessionChannel, uris: readonly string[]): void {
    for (const uri of uris) {
      const subscription = this.#subscriptions.get(uri) ?? newSubscription();
      this.#subscriptions.set(uri, subscription);
      subscription.sessions.set(session.facts.nonce, { session, mayHaveMissed: true });
      void this.#settle(uri, subscription).catch(() => undefined);
    }
  }

  /** Of a resource that it never subscribed to: nothing. @throws what the server answered to the last one who leaves */
  async unsubscribe({ facts }: SessionChannel, uri: string): Promise<void> {
    const subscription = this.#subscriptions.get(uri);
    if (subscription?.sessions.delete(facts.nonce)) await this.#settle(uri, subscription);
  }

  /** The session is over. */
  forget(nonce: string): void {
    for (const [uri, subscription] of this.#subscriptions)
      if (subscription.sessions.delete(nonce))
        void this.#settle(uri, subscription, OWN).catch(() => undefined);
  }

  /** Whoever subscribed to the resource, or to one that it is a part of (MCP specification, resources). */
  subscribersOf(uri: unknown): readonly SessionChannel[] {
    if (typeof uri !== 'string') return [];
    const subscribers = new Map<string, SessionChannel>();
    for (const [wanted, { sessions }] of this.#subscriptions)
      if (isWithin(uri, wanted)) for (const [nonce, { session }] of sessions) subscribers.set(nonce, session);
    return [...subscribers.values()];
  }

  /** Makes the server know what is wanted by the time that it is its turn. */
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
        // Not before the server has answered, because who comes meanwhile waits for its turn in the same queue.
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

/** Who may have missed a change is told of one, once: after the server knows, so that no later one is missed. */
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
