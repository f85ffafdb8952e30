import type { Clock } from '../../clock.ts';

/** How a remote server is spoken to: Streamable HTTP, or the older HTTP with SSE. */
export type RemoteTransportKind = 'http' | 'sse';

export interface TransportPreferencesOptions {
  readonly clock: Clock;
  /** A learned choice is forgotten after this: the server may have been upgraded. */
  readonly ttlMs?: number;
}

const DEFAULT_TTL_MS = 3_600_000;
/** Keys change with every header, so more than the servers of one panel may gather; the oldest go first. */
const MAX_LEARNED = 1000;

/** Which transport answered last, by server key. Only what differs from the first choice, Streamable HTTP, is kept. */
export class TransportPreferences {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  /** When SSE was learned, in that order. */
  readonly #sseSinceMs = new Map<string, number>();

  constructor({ clock, ttlMs = DEFAULT_TTL_MS }: TransportPreferencesOptions) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  /** Keys with a learned choice, expired ones included until they are asked for. */
  get size(): number {
    return this.#sseSinceMs.size;
  }

  /** Which transport to try first. */
  first(key: string): RemoteTransportKind {
    const sinceMs = this.#sseSinceMs.get(key);
    if (sinceMs === undefined) return 'http';
    if (this.#clock.now() - sinceMs < this.#ttlMs) return 'sse';
    this.#sseSinceMs.delete(key);
    return 'http';
  }

  /** A connect with this transport succeeded. A success renews no choice: it would never be put to the test again. */
  learn(key: string, kind: RemoteTransportKind): void {
    if (kind === 'http') return this.forget(key);
    if (this.first(key) === 'sse') return;
    this.#sseSinceMs.set(key, this.#clock.now());
    for (const oldest of this.#sseSinceMs.keys()) {
      if (this.#sseSinceMs.size <= MAX_LEARNED) break;
      this.#sseSinceMs.delete(oldest);
    }
  }

  /** The choice has failed. */
  forget(key: string): void {
    this.#sseSinceMs.delete(key);
  }
}
