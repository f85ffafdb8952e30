import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { GatewayClient } from '../types.ts';
import { ReplyKeeper, UnreadBytes } from './reply-keeper.ts';
import { HttpReply } from './reply.ts';

export interface OpenRepliesOptions {
  readonly clock: Clock;
  /** Maximum bytes of all responses that may wait for clients that do not read. */
  readonly maxUnreadBytes: number;
  /** Called when a response of the client is closed because too much of its data waits. Must not throw. */
  readonly onUnread: (client: GatewayClient) => void;
}

/** HTTP responses that are not over yet, by the MCP client that gets them. */
export class OpenReplies {
  readonly #keeper: ReplyKeeper;
  readonly #unread: UnreadBytes;
  readonly #byClient = new Map<string, Set<HttpReply>>();

  constructor({ clock, maxUnreadBytes, onUnread }: OpenRepliesOptions) {
    this.#keeper = new ReplyKeeper(clock);
    this.#unread = new UnreadBytes({
      maxBytes: maxUnreadBytes,
      nowMs: () => clock.now(),
      onBrokenOff: onUnread,
    });
  }

  get size(): number {
    return this.#keeper.size;
  }

  /** @param giveBack returns the budget of the request, once its response is over */
  open(client: GatewayClient, res: ServerResponse, giveBack: () => void): HttpReply {
    const replies = this.#byClient.get(client.id) ?? new Set();
    const onOver = () => {
      replies.delete(reply);
      if (replies.size === 0) this.#byClient.delete(client.id);
      giveBack();
    };
    const reply: HttpReply = new HttpReply(res, {
      client,
      keeper: this.#keeper,
      unread: this.#unread,
      onOver,
    });
    this.#byClient.set(client.id, replies.add(reply));
    return reply;
  }

  /** Closes all open responses of a client. */
  drop(clientId: string): void {
    for (const reply of [...(this.#byClient.get(clientId) ?? [])]) reply.drop();
  }

  dispose(): void {
    for (const clientId of [...this.#byClient.keys()]) this.drop(clientId);
    this.#keeper.dispose();
  }
}
