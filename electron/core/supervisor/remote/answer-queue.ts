import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock } from '../../clock.ts';
import { delay } from '../../wait.ts';

/** Maximum number of concurrent responses, because each one is an HTTP request. */
const MAX_IN_FLIGHT = 4;
const MAX_WAITING = 64;
/** Interval between responses in ms, which allows fifty per second in the long run. */
const INTERVAL_MS = 20;
const BURST = 100;

/** Limits the rate of responses to a server's own requests, because one that sends many would be flooded with responses. */
export class AnswerQueue {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #closing = new AbortController();
  #inFlight = 0;
  #waiting: (() => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pace = new Pace({ clock, intervalMs: INTERVAL_MS, burst: BURST });
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Sends a response; settles as `deliver` does. @throws PanelError STALLED when too many responses wait, STOPPED when closed */
  async send(deliver: () => Promise<void>): Promise<void> {
    if (this.isFull) throw new PanelError('STALLED', 'The server asks faster than it reads answers.');
    if (this.#inFlight < MAX_IN_FLIGHT) this.#inFlight += 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      const waitMs = this.#pace.take();
      if (waitMs > 0) await delay(this.#clock, waitMs, this.#closing.signal);
      if (this.#closing.signal.aborted) throw new PanelError('STOPPED', 'The answer was not sent.');
      await deliver();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inFlight -= 1;
    }
  }

  close(): void {
    this.#closing.abort();
  }
}

interface PaceOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Number of events allowed immediately after a quiet time. */
  readonly burst: number;
}

/** Spaces events at a steady rate, however many arrive together. */
export class Pace {
  readonly #options: PaceOptions;
  #nextAtMs = -Infinity;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  get waitMs(): number {
    return Math.max(0, this.#nextAtMs - this.#options.clock.now());
  }

  /** Reserves the next slot. Returns the milliseconds until that slot. */
  take(): number {
    const { clock, intervalMs, burst } = this.#options;
    const now = clock.now();
    const atMs = Math.max(this.#nextAtMs, now - (burst - 1) * intervalMs);
    this.#nextAtMs = atMs + intervalMs;
    return Math.max(0, atMs - now);
  }
}
