import type { Clock, Disposable } from '../../clock.ts';
import type { GatewayClient } from '../types.ts';

/** An open response that has something to do when time passes. */
export interface Kept {
  /** In monotonic time; `onDue` moves it on. */
  readonly dueAtMs: number;
  onDue(nowMs: number): void;
}

/**
 * The time of all open responses behind one timer, because most of them are answered long before theirs is up: a call costs no
 * timer of its own.
 */
export class ReplyKeeper {
  readonly #clock: Clock;
  readonly #open = new Set<Kept>();
  #timer: Disposable | undefined;
  #timerDueMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Monotonic milliseconds. */
  nowMs(): number {
    return this.#clock.now();
  }

  /** Responses that are watched, so that a test can assert that nothing leaked. */
  get size(): number {
    return this.#open.size;
  }

  watch(reply: Kept): void {
    this.#open.add(reply);
    if (reply.dueAtMs < this.#timerDueMs) this.#arm(reply.dueAtMs);
  }

  /** @returns whether it was watched until now */
  forget(reply: Kept): boolean {
    return this.#open.delete(reply);
  }

  dispose(): void {
    this.#open.clear();
    this.#disarm();
  }

  #onTimer(): void {
    this.#disarm();
    const nowMs = this.#clock.now();
    let nextMs = Infinity;
    for (const reply of [...this.#open]) {
      if (reply.dueAtMs <= nowMs) reply.onDue(nowMs);
      if (this.#open.has(reply)) nextMs = Math.min(nextMs, reply.dueAtMs);
    }
    if (nextMs < this.#timerDueMs) this.#arm(nextMs);
  }

  #arm(dueMs: number): void {
    this.#disarm();
    this.#timerDueMs = dueMs;
    this.#timer = this.#clock.setTimeout(() => this.#onTimer(), dueMs - this.#clock.now());
  }

  #disarm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#timerDueMs = Infinity;
  }
}

/** A response of which something may wait for its client. */
export interface UnreadResponse {
  readonly client: GatewayClient;
  /** Monotonic time since when its client has taken nothing, while there was something. */
  readonly takenAtMs: number;
  /** Looks what waits now, in bytes, and whether something was taken since the last look. */
  unreadAt(nowMs: number): number;
  /** Breaks it off. It is forgotten by that. */
  drop(): void;
}

export interface UnreadBytesOptions {
  readonly maxBytes: number;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
  /** Because of what waited in it, a response of this client is about to be broken off. Must not throw. */
  readonly onBrokenOff: (client: GatewayClient) => void;
}

interface Share {
  bytes: number;
  readonly responses: Set<UnreadResponse>;
}

/**
 * What all clients together have not read. Where that is too much, the client that has most of it loses the response that
 * holds most for longest, and so on: a client that has less than its even share never loses one for the sake of others.
 */
export class UnreadBytes {
  readonly #options: UnreadBytesOptions;
  /** Bytes as they were last noted: what was read since shows at the next look. */
  readonly #noted = new Map<UnreadResponse, number>();
  #bytes = 0;
  #isLookDue = false;

  constructor(options: UnreadBytesOptions) {
    this.#options = options;
  }

  /** Responses in which something waited when they were last written to; 0 once all are over. */
  get size(): number {
    return this.#noted.size;
  }

  /** Something was written to the response, of which `bytes` wait. */
  note(response: UnreadResponse, bytes: number): void {
    if (bytes === 0 && !this.#noted.has(response)) return;
    this.#set(response, bytes);
    if (this.#bytes <= this.#options.maxBytes || this.#isLookDue) return;
    this.#isLookDue = true;
    // Not at once, because whoever writes would find its response broken off halfway.
    queueMicrotask(() => this.#look());
  }

  forget(response: UnreadResponse): void {
    this.#set(response, 0);
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
