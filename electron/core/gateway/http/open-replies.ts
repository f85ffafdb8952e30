import type { ServerResponse } from 'node:http';
import type { Clock } from '../../clock.ts';
import { ReplyKeeper } from './reply-keeper.ts';
import { HttpReply } from './reply.ts';

/** The responses that are not over, by client. */
export class OpenReplies {
  readonly #keeper: ReplyKeeper;
  readonly #byClient = new Map<string, Set<HttpReply>>();

  constructor(clock: Clock) {
    this.#keeper = new ReplyKeeper(clock);
  }

  get size(): number {
    return this.#keeper.size;
  }

  open(clientId: string, res: ServerResponse): HttpReply {
    const reply = new HttpReply(res, this.#keeper);
    const replies = this.#byClient.get(clientId) ?? new Set();
    this.#byClient.set(clientId, replies.add(reply));
    res.once('close', () => {
      replies.delete(reply);
      if (replies.size === 0 && this.#byClient.get(clientId) === replies) this.#byClient.delete(clientId);
    });
    return reply;
  }

  /** Breaks off whatever is open of a client. */
  drop(clientId: string): void {
    for (const reply of [...(this.#byClient.get(clientId) ?? [])]) reply.drop();
  }

  dispose(): void {
    for (const clientId of [...this.#byClient.keys()]) this.drop(clientId);
    this.#keeper.dispose();
  }
}
