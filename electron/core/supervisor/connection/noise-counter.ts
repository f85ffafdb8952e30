import type { Clock } from '../../clock.ts';
import type { EventDetails } from '../../../../shared/events.ts';
import type { FrameNoise } from './frame-reader.ts';

/** At most one event in this time; what comes between is counted into the next. */
const QUIET_MS = 10_000;

/**
 * Counts what is no message on a protocol pipe. The first is reported at once, a flood as one event every ten
 * seconds, each with the number since the last: a server that logs to stdout must not wash away the event log.
 */
export class NoiseCounter {
  readonly #clock: Clock;
  readonly #report: (detail: EventDetails['protocol-noise']) => void;
  #total = 0;
  #unreported = 0;
  #reportedAtMs = -Infinity;

  constructor(clock: Clock, report: (detail: EventDetails['protocol-noise']) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  get total(): number {
    return this.#total;
  }

  count(noise: FrameNoise): void {
    this.#total += 1;
    this.#unreported += 1;
    if (this.#clock.now() - this.#reportedAtMs < QUIET_MS) return;
    this.#report({ ...noise, count: this.#unreported, total: this.#total });
    this.#unreported = 0;
    this.#reportedAtMs = this.#clock.now();
  }
}
