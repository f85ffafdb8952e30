import type { GatewayClient } from '../types.ts';

/** A response whose data may be waiting for its client to read it. */
export interface UnreadResponse {
  readonly client: GatewayClient;
  /** Monotonic milliseconds of the last time that the client took data, while data is waiting. */
  readonly takenAtMs: number;
  /** Samples the number of waiting bytes, and whether the client took some since the last sample. */
  unreadAt(nowMs: number): number;
  /** Closes the connection, which also removes the response from the watch. */
  drop(): void;
}

interface UnreadBytesOptions {
  readonly maxBytes: number;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Called before a response of the client is closed because of its waiting data. Must not throw. */
  readonly onBrokenOff: (client: GatewayClient) => void;
}

interface Share {
  bytes: number;
  readonly responses: Set<UnreadResponse>;
}

/**
 * Unread data of all clients. Above the limit, the client with the most unread data loses the response that has had the most
 * unread data for the longest time, until the rest fits. A client with less than an even share never loses a response because
 * of other clients.
 */
export class UnreadBytes {
  readonly #options: UnreadBytesOptions;
  /** Unread bytes as last noted, by response; bytes that the client has read since then show at the next sample. */
  readonly #noted = new Map<UnreadResponse, number>();
  #bytes = 0;
  #isLookDue = false;

  constructor(options: UnreadBytesOptions) {
    this.#options = options;
  }

  /** Number of responses with waiting data at their last write; 0 once all have ended. */
  get size(): number {
    return this.#noted.size;
  }

  /** Records a write to the response, of which `bytes` are still waiting. */
  note(response: UnreadResponse, bytes: number): void {
    if (bytes === 0 && !this.#noted.has(response)) return;
    this.#set(response, bytes);
    if (this.#bytes <= this.#options.maxBytes || this.#isLookDue) return;
    this.#isLookDue = true;
    // Deferred, because otherwise the writer would find its response closed in the middle of the write.
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
