import type { GatewayClient } from '../types.ts';

/** A response with data that its client may not have read yet. */
export interface UnreadResponse {
  readonly client: GatewayClient;
  /** Time in monotonic milliseconds when the client last read data. It is the current time as long as no data waits. */
  readonly takenAtMs: number;
  /** Returns the number of bytes that the client has not read, and updates `takenAtMs` if it has read any since the last call. */
  unreadAt(nowMs: number): number;
  /** Closes the connection. After that, the response no longer counts. */
  drop(): void;
}

interface UnreadBytesOptions {
  readonly maxBytes: number;
  /** Returns the current time in monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Called before a response of the client is closed because of its waiting data. Must not throw. */
  readonly onBrokenOff: (client: GatewayClient) => void;
}

interface Share {
  bytes: number;
  readonly responses: Set<UnreadResponse>;
}

/**
 * Counts the response data that clients have not read yet. If the total exceeds the limit, responses are closed until it no
 * longer does. Each time, the client with the most unread data loses one response: the one with the highest product of unread
 * bytes and time since it was last read. So a client with less than an equal share of the limit never loses a response because
 * of others.
 */
export class UnreadBytes {
  readonly #options: UnreadBytesOptions;
  /** Unread bytes by response, as of the last write or check. What the client has read since is subtracted at the next check. */
  readonly #noted = new Map<UnreadResponse, number>();
  #bytes = 0;
  #isLookDue = false;

  constructor(options: UnreadBytesOptions) {
    this.#options = options;
  }

  /** Number of responses that had unread data at their last write or check. */
  get size(): number {
    return this.#noted.size;
  }

  /** Records a write to the response, of which `bytes` are still waiting. */
  note(response: UnreadResponse, bytes: number): void {
    if (bytes === 0 && !this.#noted.has(response)) return;
    this.#set(response, bytes);
    if (this.#bytes <= this.#options.maxBytes || this.#isLookDue) return;
    this.#isLookDue = true;
    // Checked only after the current code has run, because otherwise a response could be closed in the middle of a write to it.
    queueMicrotask(() => this.#look());
  }

  forget(response: UnreadResponse): void {
    if (this.#noted.has(response)) this.#set(response, 0);
  }

  #set(response: UnreadResponse, bytes: number): void {
    this.#bytes += bytes - (this.#noted.get(response) ?? 0);
    if (bytes === 0) this.#noted.delete(response);
    else this.#noted.set(response, bytes);
  }

  #look(): void {
    this.#isLookDue = false;
    const nowMs = this.#options.nowMs();
    for (const response of [...this.#noted.keys()]) this.#set(response, response.unreadAt(nowMs));
    if (this.#bytes <= this.#options.maxBytes) return;
    const shares = this.#shares();
    while (this.#bytes > this.#options.maxBytes) {
      const largest = shares.reduce((most, share) => (share.bytes > most.bytes ? share : most));
      this.#breakOff(largest, nowMs);
    }
  }

  #shares(): Share[] {
    const shares = new Map<string, Share>();
    for (const [response, bytes] of this.#noted) {
      const share = shares.get(response.client.id) ?? { bytes: 0, responses: new Set() };
      shares.set(response.client.id, share);
      share.bytes += bytes;
      share.responses.add(response);
    }
    return [...shares.values()];
  }

  #breakOff(share: Share, nowMs: number): void {
    const weightOf = (response: UnreadResponse) =>
      (this.#noted.get(response) ?? 0) * (nowMs - response.takenAtMs + 1);
    const worst = [...share.responses].reduce((most, one) => (weightOf(one) > weightOf(most) ? one : most));
    share.bytes -= this.#noted.get(worst) ?? 0;
    share.responses.delete(worst);
    this.forget(worst);
    this.#options.onBrokenOff(worst.client);
    worst.drop();
  }
}
