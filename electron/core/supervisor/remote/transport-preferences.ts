import type { Clock } from '../../clock.ts';

/** Transport of a remote server: Streamable HTTP, or the older HTTP with SSE. */
export type RemoteTransportKind = 'http' | 'sse';

/** Milliseconds for which a choice is remembered. It is limited because the server may be upgraded. */
const KEPT_MS = 3_600_000;
/** Maximum number of remembered servers; the oldest are dropped. Limited because each header change gives a new server key. */
const MAX_LEARNED = 1000;

/** Transport that last worked, by server key. Only SSE is kept, because Streamable HTTP is the default. */
export class TransportPreferences {
  readonly #clock: Clock;
  /** Monotonic times at which SSE was first seen to work, by server key, in the order of these times. */
  readonly #sseSinceMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the transport to try first. */
  first(key: string): RemoteTransportKind {
    const sinceMs = this.#sseSinceMs.get(key);
    if (sinceMs === undefined) return 'http';
    if (this.#clock.now() - sinceMs < KEPT_MS) return 'sse';
    this.#sseSinceMs.delete(key);
    return 'http';
  }

  /** Records a successful connection. Remembered SSE keeps its time, or else Streamable HTTP would never be tried again. */
  learn(key: string, kind: RemoteTransportKind): void {
    if (kind === 'http') return this.forget(key);
    if (this.first(key) === 'sse') return;
    this.#sseSinceMs.set(key, this.#clock.now());
    for (const oldest of this.#sseSinceMs.keys()) {
      if (this.#sseSinceMs.size <= MAX_LEARNED) break;
      this.#sseSinceMs.delete(oldest);
    }
  }

  forget(key: string): void {
    this.#sseSinceMs.delete(key);
  }
}
