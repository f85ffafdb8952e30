import type { EventDetails } from '../../../shared/events.ts';
import type { Clock } from '../clock.ts';

/**
 * Bytes on the protocol's pipe that are not a message, or a message that cannot be handled. They are counted and shown to the
 * user, and never end the connection.
 */
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
  /** First characters of the output, with control characters replaced. */
  readonly excerpt: string;
  readonly bytes: number;
}

const EXCERPT_CHARACTERS = 200;
export const EXCERPT_BYTES = EXCERPT_CHARACTERS * 4;
/** Minimum milliseconds between two events about malformed output; output in between is counted in the next event. */
const QUIET_MS = 10_000;

/**
 * Counts malformed output on a protocol pipe. The first output is reported immediately. A flood is reported as one event every
 * ten seconds with the number since the last event, because a server that logs to stdout must not flood the event log.
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

/** Returns the beginning of `bytes` as one line of visible text. */
export function outputExcerpt(bytes: Buffer): string {
  const text = bytes.subarray(0, EXCERPT_BYTES).toString('utf8').slice(0, EXCERPT_CHARACTERS);
  // Replaces characters that move a cursor, ring a bell, break the line or change the reading direction, and lone surrogates.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim();
}
