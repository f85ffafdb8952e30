import type { Clock } from '../../clock.ts';
import { refused, type Refused } from './guard.ts';

/** Bounds on what clients may have of the panel. They are far above what any honest client does. */
export interface GatewayLimits {
  /** Of requests of one client. */
  readonly requests: Rate;
  /** Of new sessions of one client, each of which is state here and maybe a process. */
  readonly sessions: Rate;
  /** Open GET streams of one client. */
  readonly streamsPerClient: number;
  /** Unanswered POST requests of one client, and of all. */
  readonly callsPerClient: number;
  readonly calls: number;
  /** Open connections of all clients; later ones are closed at once. */
  readonly connections: number;
  /** What bodies of more than 64 KiB may hold together, until they are answered. */
  readonly longBodyBytes: number;
  /** What of all responses may wait together for clients that do not read. */
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

/** What long bodies of one request hold; it goes back at once when the request is over. */
export interface ByteBudget {
  /** False where there is no more. */
  take(bytes: number): boolean;
}

interface Use {
  readonly requests: TokenBucket;
  readonly sessions: TokenBucket;
  streams: number;
  calls: number;
}

/** Gives back what was taken. To be called once. */
export type GiveBack = () => void;

/** Who uses how much of the panel, so that no client can take it from the others. */
export class Limits {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #limits: GatewayLimits;
  readonly #uses = new Map<string, Use>();
  #calls = 0;
  #longBytes = 0;

  constructor(clock: Pick<Clock, 'now'>, limits: GatewayLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** A request came, of whatever kind. */
  request(clientId: string): Refused | undefined {
    return tooOften(this.#useOf(clientId).requests.take(this.#clock.now()));
  }

  /** A client asks for a new session. */
  session(clientId: string): Refused | undefined {
    return tooOften(this.#useOf(clientId).sessions.take(this.#clock.now()));
  }

  stream(clientId: string): GiveBack | Refused {
    const use = this.#useOf(clientId);
    if (use.streams >= this.#limits.streamsPerClient)
      return tooMany(429, `at most ${this.#limits.streamsPerClient} open streams of one client`);
    use.streams += 1;
    return () => (use.streams -= 1);
  }

  call(clientId: string): GiveBack | Refused {
    const use = this.#useOf(clientId);
    if (this.#calls >= this.#limits.calls)
      return tooMany(503, `at most ${this.#limits.calls} calls at a time`);
    if (use.calls >= this.#limits.callsPerClient)
      return tooMany(429, `at most ${this.#limits.callsPerClient} calls of one client at a time`);
    use.calls += 1;
    this.#calls += 1;
    return () => {
      use.calls -= 1;
      this.#calls -= 1;
    };
  }

  /** A budget for one request, and how to give all of it back. */
  bytes(): { budget: ByteBudget; giveBack: GiveBack } {
    let taken = 0;
    let isOver = false;
    const take = (bytes: number) => {
      if (isOver || this.#longBytes + bytes > this.#limits.longBodyBytes) return false;
      taken += bytes;
      this.#longBytes += bytes;
      return true;
    };
    const giveBack = () => {
      isOver = true;
      this.#longBytes -= taken;
    };
    return { budget: { take }, giveBack };
  }

  /** Nothing is kept of a client that is gone. */
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
  return refused(429, 'rate', {
    message: `Too many requests: try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

function tooMany(status: 429 | 503, expected: string): Refused {
  return refused(status, 'busy', {
    message: `expected ${expected}, found more: try again when some are over.`,
    headers: { 'Retry-After': '1' },
  });
}

/** How often something may happen: `burst` times at once, and `perSecond` in the long run. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket. It has no timer: what has come back is worked out when it is asked. */
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
   * 0 where it may happen now, which counts; else in how many milliseconds it may. A clock that goes back gives nothing and
   * takes nothing, because its client would otherwise be refused until the clock has caught up.
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
