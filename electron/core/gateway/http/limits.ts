import type { Clock } from '../../clock.ts';
import { refused, type Refused } from './guard.ts';

/** Limits on the resources of the panel that MCP clients may use, far above the needs of any honest client. */
export interface GatewayLimits {
  /** Rate of requests of one client. */
  readonly requests: Rate;
  /**
   * Maximum rate at which one client may open sessions. It is lower than that of requests, because a session keeps state in
   * memory and may start a server process.
   */
  readonly sessions: Rate;
  /** Maximum open GET streams of one client. */
  readonly streamsPerClient: number;
  /** Maximum unanswered POST requests of one client; `calls` is the maximum of all clients together. */
  readonly callsPerClient: number;
  readonly calls: number;
  /** Maximum open connections of all clients; further ones are closed immediately. */
  readonly connections: number;
  /** Maximum bytes that bodies of more than 64 KiB may occupy together until their requests are answered. */
  readonly longBodyBytes: number;
  /** Maximum total bytes of response data that clients have not read yet. */
  readonly unreadBytes: number;
}

export const gatewayLimits: GatewayLimits = {
  requests: { burst: 10_000, perSecond: 2000 },
  sessions: { burst: 200, perSecond: 5 },
  streamsPerClient: 256,
  callsPerClient: 512,
  calls: 1024,
  connections: 2048,
  longBodyBytes: 128 * 1024 * 1024,
  unreadBytes: 256 * 1024 * 1024,
};

interface Use {
  readonly requests: TokenBucket;
  readonly sessions: TokenBucket;
  streams: number;
  calls: number;
}

/** Counts of all clients together. */
interface Total {
  calls: number;
  streams: number;
  longBytes: number;
}

/** Slot that one request takes up in its client's limit on calls or streams, with the bytes reserved for its body. */
export class Place {
  readonly #limits: GatewayLimits;
  readonly #kind: 'calls' | 'streams';
  readonly #use: Use;
  readonly #total: Total;
  #takenBytes = 0;
  #isOver = false;

  constructor(limits: GatewayLimits, kind: 'calls' | 'streams', use: Use, total: Total) {
    this.#limits = limits;
    this.#kind = kind;
    this.#use = use;
    this.#total = total;
    use[kind] += 1;
    total[kind] += 1;
  }

  /** Reserves bytes of the common budget of long bodies. Returns false if the budget is used up. */
  take(bytes: number): boolean {
    if (this.#isOver || this.#total.longBytes + bytes > this.#limits.longBodyBytes) return false;
    this.#takenBytes += bytes;
    this.#total.longBytes += bytes;
    return true;
  }

  /** Releases the slot and all of its bytes. Must be called exactly once. */
  giveBack(): void {
    this.#isOver = true;
    this.#total.longBytes -= this.#takenBytes;
    this.#use[this.#kind] -= 1;
    this.#total[this.#kind] -= 1;
  }
}

/** Counts the usage of each client, so that no client can starve the others. */
export class Limits {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limits: GatewayLimits;
  readonly #uses = new Map<string, Use>();
  readonly #total: Total = { calls: 0, streams: 0, longBytes: 0 };

  constructor(clock: Pick<Clock, 'now'>, limits: GatewayLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Counts a request of any kind; returns the refusal when the rate is exceeded. */
  request(clientId: string): Refused | undefined {
    return tooOften(this.#useOf(clientId).requests.take(this.#clock.now()));
  }

  /** Counts a new session; returns the refusal when the rate is exceeded. */
  session(clientId: string): Refused | undefined {
    return tooOften(this.#useOf(clientId).sessions.take(this.#clock.now()));
  }

  stream(clientId: string): Place | Refused {
    const use = this.#useOf(clientId);
    if (use.streams >= this.#limits.streamsPerClient)
      return tooMany(429, `at most ${this.#limits.streamsPerClient} open streams of one client`);
    return new Place(this.#limits, 'streams', use, this.#total);
  }

  call(clientId: string): Place | Refused {
    const use = this.#useOf(clientId);
    if (this.#total.calls >= this.#limits.calls)
      return tooMany(503, `at most ${this.#limits.calls} calls at a time`);
    if (use.calls >= this.#limits.callsPerClient)
      return tooMany(429, `at most ${this.#limits.callsPerClient} calls of one client at a time`);
    return new Place(this.#limits, 'calls', use, this.#total);
  }

  /** Drops the counts of a removed client. */
  forget(clientId: string): void {
    this.#uses.delete(clientId);
  }

  #useOf(clientId: string): Use {
    const known = this.#uses.get(clientId);
    if (known) return known;
    const nowMs = this.#clock.now();
    const { requests, sessions } = this.#limits;
    const use = {
      requests: new TokenBucket(requests, nowMs),
      sessions: new TokenBucket(sessions, nowMs),
      streams: 0,
      calls: 0,
    };
    this.#uses.set(clientId, use);
    return use;
  }
}

function tooOften(waitMs: number): Refused | undefined {
  if (waitMs === 0) return undefined;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const headers = { 'Retry-After': String(seconds) };
  return refused(429, 'rate', `Too many requests: try again in ${seconds} s.`, { headers });
}

function tooMany(status: 429 | 503, expected: string): Refused {
  const message = `expected ${expected}, found more: try again when some have ended.`;
  return refused(status, 'busy', message, { headers: { 'Retry-After': '1' } });
}

/** Rate limit: `burst` requests in quick succession, and `perSecond` in the long run. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket without a timer: its refill is computed when it is used. */
export class TokenBucket {
  readonly #rate: Rate;
  #left: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#atMs = nowMs;
  }

  /**
   * Takes one token and returns 0; if there is none, returns the milliseconds until there is one. If the clock is set back, no
   * tokens are added, but the client is also not refused until the clock has reached its former time.
   */
  take(nowMs: number): number {
    const { burst, perSecond } = this.#rate;
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#left = Math.min(burst, this.#left + (passedMs / 1000) * perSecond);
    this.#atMs = nowMs;
    if (this.#left < 1) return Math.ceil(((1 - this.#left) / perSecond) * 1000);
    this.#left -= 1;
    return 0;
  }
}
