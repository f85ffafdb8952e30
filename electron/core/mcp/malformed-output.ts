import type { EventDetails } from '../../../shared/events.ts';
import type { Clock } from '../clock.ts';

/** Something on the protocol's pipe that is not a message, or none that can be handled. Counted and shown, never fatal. */
export interface MalformedOutput {
  readonly noise:
    | 'not-json'
    | 'not-a-message'
    | 'bad-utf8'
    | 'too-long'
    | 'too-many'
    | 'cut-off'
    | 'unmatched'
    | 'not-handled';
  /** The first characters, control characters replaced. */
  readonly excerpt: string;
  readonly bytes: number;
}

const EXCERPT_CHARACTERS = 200;
export const EXCERPT_BYTES = EXCERPT_CHARACTERS * 4;
/** At most one event in this time; what comes between is counted into the next. */
const QUIET_MS = 10_000;

/**
 * Counts what is no message on a protocol pipe. The first is reported at once, a flood as one event every ten
 * seconds, each with the number since the last: a server that logs to stdout must not wash away the event log.
 */
export class MalformedOutputCounter {
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

  count(noise: MalformedOutput): void {
    this.#total += 1;
    this.#unreported += 1;
    if (this.#clock.now() - this.#reportedAtMs < QUIET_MS) return;
    this.#report({ ...noise, count: this.#unreported, total: this.#total });
    this.#unreported = 0;
    this.#reportedAtMs = this.#clock.now();
  }
}

/** The beginning of some bytes as one line of visible text. */
export function outputExcerpt(bytes: Buffer): string {
  const text = bytes.subarray(0, EXCERPT_BYTES).toString('utf8').slice(0, EXCERPT_CHARACTERS);
  // Everything that could move a cursor, ring a bell, begin a line or turn the reading direction; and halves of characters.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim();
}
