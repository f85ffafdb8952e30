import { OpenSet } from '../../open-map.ts';
import type { Clock } from '../../clock.ts';
import type { GatewayClient } from '../types.ts';
import { SharedTimer } from '../../shared-timer.ts';
import { UnreadBytes } from './unread-bytes.ts';
import type { HttpReply, ReplyWatch } from './reply.ts';

export interface OpenRepliesOptions {
  readonly clock: Clock;
  /** Maximum bytes of all responses that may wait for clients that do not read. */
  readonly maxUnreadBytes: number;
  /** Called when a response of the client is closed because too much of its data waits. Must not throw. */
  readonly onUnread: (client: GatewayClient) => void;
}

/** HTTP responses that are not over yet. */
export class OpenReplies implements ReplyWatch {
  readonly timer: SharedTimer;
  readonly unread: UnreadBytes;
  /** Filled by the timer, which watches each of them until it is over. */
  readonly #open = new OpenSet<HttpReply>();

  constructor({ clock, maxUnreadBytes, onUnread }: OpenRepliesOptions) {
    this.timer = new SharedTimer(clock, this.#open);
    this.unread = new UnreadBytes({
      maxBytes: maxUnreadBytes,
      nowMs: () => clock.now(),
      onBrokenOff: onUnread,
    });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Closes all open responses of a client. */
  drop(clientId: string): void {
    for (const reply of [...this.#open.values()]) if (reply.client.id === clientId) reply.drop();
  }

  dispose(): void {
    for (const reply of [...this.#open.values()]) reply.drop();
    this.timer.dispose();
  }
}
