import type { Clock } from '../../clock.ts';
import { delay } from '../../wait.ts';

/** Streams of one server are continued at this pace, */
const INTERVAL_MS = 250;
/** so many at once, */
const BURST = 8;
/** and none that would have to wait for longer. */
const LONGEST_WAIT_MS = 25_000;
const MAX_FORGOTTEN = 1000;

/**
 * When an event stream that has ended may be continued. The SDK tries for as long as the server lets it, also for a
 * request that nobody waits for any more, and takes the server's word for how soon.
 */
export class ResumptionGate {
  readonly #clock: Clock;
  #nextAtMs = -Infinity;
  /** Last events of streams whose request is over, oldest first. */
  readonly #forgotten = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The stream that this event belongs to is for nobody any more. */
  forget(eventId: string): void {
    this.#forgotten.add(eventId);
    const [oldest] = this.#forgotten;
    if (this.#forgotten.size > MAX_FORGOTTEN && oldest !== undefined) this.#forgotten.delete(oldest);
  }

  /** Resolves when it may, or when `signal` aborts. @throws Error when it may not */
  async pass(lastEventId: string, signal: AbortSignal | null | undefined): Promise<void> {
    if (this.#forgotten.has(lastEventId)) throw new Error('Nobody waits for this stream any more.');
    const now = this.#clock.now();
    const atMs = Math.max(this.#nextAtMs, now - BURST * INTERVAL_MS);
    if (atMs - now > LONGEST_WAIT_MS) throw new Error('Too many streams are to be continued.');
    this.#nextAtMs = atMs + INTERVAL_MS;
    if (atMs > now) await delay(this.#clock, atMs - now, signal ?? undefined);
  }
}
