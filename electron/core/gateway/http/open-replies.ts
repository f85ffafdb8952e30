import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import type { GatewayClient } from '../types.ts';
import { SharedTimer } from '../../shared-timer.ts';
import { UnreadBytes } from './unread-bytes.ts';
import { HttpReply, type ReplyWatch } from './reply.ts';
import type { Place } from './limits.ts';

export interface OpenRepliesOptions {
  readonly clock: Clock;
  /** Maximum bytes of all responses that may wait for clients that do not read. */
  readonly maxUnreadBytes: number;
  /** Called when a response of the client is closed because too much of its data waits. Must not throw. */
  readonly onUnread: (client: GatewayClient) => void;
}

/** HTTP responses that are not over yet, by the MCP client that gets them. */
export class OpenReplies implements ReplyWatch {
  readonly timer: SharedTimer;
  readonly unread: UnreadBytes;
  readonly #byClient = new Map<string, Set<HttpReply>>();

  constructor({ clock, maxUnreadBytes, onUnread }: OpenRepliesOptions) {
    this.timer = new SharedTimer(clock);
    this.unread = new UnreadBytes({
      maxBytes: maxUnreadBytes,
      nowMs: () => clock.now(),
      onBrokenOff: onUnread,
    });
  }

  get size(): number {
    return this.timer.size;
  }

  /** @param place of the request, which is given back once its response is over */
  open(client: GatewayClient, res: ServerResponse, place: Place): HttpReply {
    const reply = new HttpReply(res, client, place, this);
    const replies = this.#byClient.get(client.id);
    if (replies) replies.add(reply);
    else this.#byClient.set(client.id, new Set([reply]));
    return reply;
  }

  over(reply: HttpReply): void {
    const { client, place } = reply;
    const replies = this.#byClient.get(client.id);
    replies?.delete(reply);
    if (replies?.size === 0) this.#byClient.delete(client.id);
    place.giveBack();
  }

  /** Closes all open responses of a client. */
  drop(clientId: string): void {
    for (const reply of [...(this.#byClient.get(clientId) ?? [])]) reply.drop();
  }

  dispose(): void {
    for (const clientId of [...this.#byClient.keys()]) this.drop(clientId);
    this.timer.dispose();
  }
}
