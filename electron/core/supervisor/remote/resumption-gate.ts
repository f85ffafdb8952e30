import type { Clock } from '../../clock.ts';
import { delay } from '../../wait.ts';
import { Pace } from './pace.ts';

/** Four streams of a server a second are continued at length. */
const INTERVAL_MS = 250;
const BURST = 8;
/** None that would have to wait for longer. */
const LONGEST_WAIT_MS = 25_000;
const MAX_FORGOTTEN = 1000;

/**
 * When an event stream that has ended may be continued. The SDK tries for as long as the server lets it, also for a
 * request that nobody waits for any more, and takes the server's word for how soon.
 */
export class ResumptionGate {
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** Last events of streams whose request is over, oldest first. */
  readonly #forgotten = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pace = new Pace({ clock, intervalMs: INTERVAL_MS, burst: BURST });
  }

  /** The stream that this event belongs to is for nobody any more. */
  forget(eventId: string): void {
    this.#forgotten.add(eventId);
    const [oldest] = this.#forgotten;
    if (this.#forgotten.size > MAX_FORGOTTEN && oldest !== undefined) this.#forgotten.delete(oldest);
  }

  /** Resolves when it may, or when `signal` aborts. @throws Error when it may not */
  async pass(lastEventId: string, signal?: AbortSignal | null): Promise<void> {
    if (this.#forgotten.has(lastEventId)) throw new Error('Nobody waits for this stream any more.');
    if (this.#pace.waitMs > LONGEST_WAIT_MS) throw new Error('Too many streams are to be continued.');
    const waitMs = this.#pace.take();
    if (waitMs > 0) await delay(this.#clock, waitMs, signal ?? undefined);
  }
}
