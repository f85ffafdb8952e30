import { AbsenceCount, type Absence } from './absence.ts';
import { afterInput } from './after-input.ts';
import type { Clock, Disposable } from './clock.ts';

/** Between two looks, or a part of what is left, where that is longer; a shorter absence may go unnoticed. */
const LOOK_MS = 1000;
const LOOKS_OF_THE_REST = 60;
const LONGEST_LATENESS_MS = 1000;
/** A busy machine is this late all the time. */
const SHORTEST_LATENESS_MS = 100;

export interface DeadlineOptions {
  readonly clock: Clock;
  /** When it passes, in monotonic time; `Infinity` for never. Read at each look, so it may move either way. */
  readonly dueAtMs: () => number;
  /** How long may be waited, of which `dueAtMs` is made; says what counts as late. */
  readonly limitMs: () => number;
  /**
   * We ourselves were absent until now: our loop was blocked, the panel stopped by a signal, the machine asleep. Moves
   * `dueAtMs` on, or the deadline passes although nobody listened.
   */
  readonly onAbsent: (absence: Absence) => void;
  /** Called once, never after `dispose`. */
  readonly onPassed: () => void;
}

/**
 * The deadline of somebody whom we judge. Time in which we did not listen is no time in which nothing came, and it does
 * not pass before what had come by then was read.
 */
export class Deadline implements Disposable {
  readonly #options: DeadlineOptions;
  readonly #absences = new AbsenceCount();
  #lookedAtMs: number;
  #lookDueAtMs: number;
  #next: Disposable | undefined;
  #isDisposed = false;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#lookedAtMs = this.#lookDueAtMs = options.clock.now();
    this.#lookOrPass();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#next?.dispose();
  }

  /** `dueAtMs` has come nearer by more than a look. */
  lookAgain(): void {
    this.#next?.dispose();
    this.#lookOrPass();
  }

  /** @param hasRead what had come by the time that the deadline was due */
  #lookOrPass(hasRead = false): void {
    if (this.#isDisposed) return;
    const leftMs = this.#options.dueAtMs() - this.#options.clock.now();
    if (leftMs > 0) this.#lookIn(Math.min(leftMs, Math.max(LOOK_MS, leftMs / LOOKS_OF_THE_REST)));
    else if (hasRead) this.#options.onPassed();
    else this.#next = afterInput(() => this.#look(true));
  }

  #lookIn(delayMs: number): void {
    const { clock } = this.#options;
    this.#lookDueAtMs = clock.now() + delayMs;
    this.#next = clock.setTimeout(() => this.#look(), delayMs);
  }

  #look(hasRead = false): void {
    const { clock, limitMs, onAbsent } = this.#options;
    const now = clock.now();
    const absentMs = now - this.#lookedAtMs;
    const lateMs = now - this.#lookDueAtMs;
    const isLate = lateMs > toleratedLatenessMs(limitMs());
    this.#lookedAtMs = this.#lookDueAtMs = now;
    if (isLate) onAbsent(this.#absences.came({ absentMs, lateMs }, now, limitMs()));
    this.#lookOrPass(hasRead);
  }
}

/** Lateness allowed to a timer whose delay is a part of a wait of `limitMs`; a later one means that we ourselves were absent. */
export function toleratedLatenessMs(limitMs: number): number {
  return Math.min(LONGEST_LATENESS_MS, Math.max(limitMs / 4, SHORTEST_LATENESS_MS));
}
