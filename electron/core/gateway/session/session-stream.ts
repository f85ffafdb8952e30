import type { Clock } from '../../clock.ts';
import type { GatewayReply } from '../types.ts';
import { changedLists } from '../upstream/fan-out.ts';
import { MAX_URIS_PER_SESSION } from '../upstream/subscriptions.ts';

/**
 * Maximum number of pending notifications: one for each list and each subscribed resource, because all may have changed while
 * the server was down. Further notifications are dropped.
 */
const MAX_OWED = MAX_URIS_PER_SESSION + changedLists.length;

/** A session's stream (GET) for messages outside calls. Notifications wait until it opens or the next request is answered. */
export class SessionStream {
  readonly #clock: Clock;
  /** Pending notifications by their text, so that each is queued only once. */
  readonly #owed = new Map<string, object>();
  #reply: GatewayReply | undefined;
  /** Monotonic milliseconds of the client's last request, or of the end of its stream if that was later. */
  #seenAtMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#seenAtMs = clock.now();
  }

  /** The stream, if it is open. */
  get open(): GatewayReply | undefined {
    return this.#reply?.isOpen === true ? this.#reply : undefined;
  }

  /** Records a request of the client. */
  seen(): void {
    this.#seenAtMs = this.#clock.now();
  }

  /** Returns for how many milliseconds the client has sent no request; 0 while the stream is open. */
  silentMs(nowMs: number): number {
    return this.open ? 0 : nowMs - this.#seenAtMs;
  }

  /** Accepts the stream. A second one replaces the first, because a refusal would end the session of some clients. */
  listen(reply: GatewayReply): void {
    this.#reply?.close();
    this.#reply = reply;
    reply.open();
    reply.onGone(() => {
      if (this.#reply !== reply) return;
      this.#reply = undefined;
      this.seen();
    });
    this.payTo(reply);
  }

  /** Sends a notification if the stream is open; otherwise queues it until the stream opens or the next request is answered. */
  owe(notification: object): void {
    if (this.open?.stream(notification)) return;
    if (this.#owed.size < MAX_OWED) this.#owed.set(JSON.stringify(notification), notification);
  }

  /** Sends the pending notifications before the answer to a request. */
  payTo(reply: GatewayReply): void {
    for (const [text, notification] of this.#owed) {
      if (!reply.stream(notification)) return;
      this.#owed.delete(text);
    }
  }

  close(): void {
    this.#reply?.close();
    this.#reply = undefined;
  }
}
