import { OpenSet } from '../../open-map.ts';
import type { Clock, Disposable } from '../../clock.ts';
import type { GatewayClient } from '../types.ts';
import { UnreadBytes } from './unread-bytes.ts';
import type { OpenReply, ReplyWatch } from './reply.ts';

interface OpenRepliesOptions {
  readonly clock: Clock;
  /** Maximum total bytes of response data that clients have not read yet. */
  readonly maxUnreadBytes: number;
  /** Called when a response is closed because its client has left too much data unread. Must not throw. */
  readonly onUnread: (client: GatewayClient) => void;
}

/**
 * All HTTP responses that have not ended yet, with one timer that calls `onDue` of each response when it is due. A timer per
 * response would cost more than all other work on an open response, and most responses end long before they are due. The timer
 * always fires in time, but sometimes no response is due.
 */
export class OpenReplies implements ReplyWatch, Disposable {
  readonly unread: UnreadBytes;
  readonly #clock: Clock;
  readonly #open = new OpenSet<OpenReply>();
  #dueMs = Infinity;
  #timer: Disposable | undefined;

  constructor({ clock, maxUnreadBytes, onUnread }: OpenRepliesOptions) {
    this.#clock = clock;
    this.unread = new UnreadBytes({
      maxBytes: maxUnreadBytes,
      nowMs: () => clock.now(),
      onBrokenOff: onUnread,
    });
  }

  get size(): number {
    return this.#open.size;
  }

  now(): number {
    return this.#clock.now();
  }

  begin(reply: OpenReply): void {
    this.#open.add(reply);
    if (reply.dueAtMs < this.#dueMs) this.#arm(reply.dueAtMs);
  }

  over(reply: OpenReply): boolean {
    return this.#open.delete(reply);
  }

  /** Closes all open responses of a client. */
  drop(clientId: string): void {
    for (const reply of [...this.#open.values()]) if (reply.client.id === clientId) reply.drop();
  }

  dispose(): void {
    for (const reply of [...this.#open.values()]) reply.drop();
    this.#disarm();
  }

  #goneOff(): void {
    this.#disarm();
    const nowMs = this.#clock.now();
    let nextMs = Infinity;
    for (const reply of [...this.#open.values()]) {
      if (reply.dueAtMs <= nowMs && this.#open.has(reply)) reply.onDue(nowMs);
      if (this.#open.has(reply)) nextMs = Math.min(nextMs, reply.dueAtMs);
    }
    if (nextMs < this.#dueMs) this.#arm(nextMs);
  }

  #arm(dueMs: number): void {
    this.#disarm();
    this.#dueMs = dueMs;
    this.#timer = this.#clock.setTimeout(() => this.#goneOff(), dueMs - this.#clock.now());
  }

  #disarm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#dueMs = Infinity;
  }
}
