import { AbsenceCount, type Absence } from './absence.ts';
import { afterInput } from './after-input.ts';
import type { Clock, Disposable } from './clock.ts';

/**
 * Milliseconds between two checks of the deadline. If much time is left, the interval is longer: a sixtieth of the remaining
 * time. A pause of the panel that is shorter than the interval may go unnoticed.
 */
const LOOK_MS = 1000;
const LOOKS_OF_THE_REST = 60;
const LONGEST_LATENESS_MS = 1000;
/** Lateness of a timer in ms that is always tolerated, because timers on a busy machine are often this late. */
const SHORTEST_LATENESS_MS = 100;

interface DeadlineOptions {
  readonly clock: Clock;
  /** Returns the deadline in monotonic milliseconds; `Infinity` for never. Called at each check, so it may move either way. */
  readonly dueAtMs: () => number;
  /**
   * Returns the length in ms of the wait that ends at `dueAtMs`. A timer that is late by more than a quarter of it (within
   * fixed limits) counts as a pause of the panel.
   */
  readonly limitMs: () => number;
  /**
   * Called after a pause of the panel: its event loop was blocked, a signal stopped the process, or the machine was asleep. The
   * callback must make `dueAtMs` later by that pause; otherwise the deadline passes although the panel could not receive
   * anything.
   */
  readonly onAbsent: (absence: Absence) => void;
  /** Called when the deadline passes, again only after `lookAgain`, never after `dispose`. */
  readonly onPassed: () => void;
}

/**
 * Deadline for a message from a peer. Pauses of the panel itself do not count against the peer. The deadline passes only after
 * all input that arrived before it was read.
 */
export class Deadline implements Disposable {
  readonly #options: DeadlineOptions;
  #absences: AbsenceCount | undefined;
  #lookedAtMs: number;
  #lookDueAtMs: number;
  #next: Disposable | undefined;
  #isDisposed = false;

  constructor(options: DeadlineOptions) {
    this.#options = options;
    this.#lookedAtMs = this.#lookDueAtMs = options.clock.now();
    this.#lookOrPass(this.#lookedAtMs);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#next?.dispose();
  }

  /** Call it when another wait with `leftMs` left begins to share this deadline. Moves the next check forward if needed. */
  joined(leftMs: number): void {
    const nowMs = this.#options.clock.now();
    if (nowMs + delayOf(leftMs) < this.#lookDueAtMs) this.lookAgain();
  }

  /** Checks now. Call it when `dueAtMs` has moved nearer by more than one check interval. */
  lookAgain(): void {
    this.#next?.dispose();
    this.#lookOrPass(this.#options.clock.now());
  }

  /** Checks the deadline, or reports that it has passed. @param hasRead true if the input that came by the deadline was read */
  #lookOrPass(nowMs: number, hasRead = false): void {
    if (this.#isDisposed) return;
    const leftMs = this.#options.dueAtMs() - nowMs;
    if (leftMs > 0) this.#lookIn(nowMs, delayOf(leftMs));
    else if (hasRead) this.#options.onPassed();
    else this.#next = afterInput(() => this.#look(true));
  }

  #lookIn(nowMs: number, delayMs: number): void {
    this.#lookDueAtMs = nowMs + delayMs;
    this.#next =
      delayMs === Infinity ? undefined : this.#options.clock.setTimeout(() => this.#look(), delayMs);
  }

  #look(hasRead = false): void {
    const { clock, limitMs, onAbsent } = this.#options;
    const now = clock.now();
    const absentMs = now - this.#lookedAtMs;
    const lateMs = now - this.#lookDueAtMs;
    const isLate = lateMs > toleratedLatenessMs(limitMs());
    this.#lookedAtMs = this.#lookDueAtMs = now;
    if (isLate) onAbsent((this.#absences ??= new AbsenceCount()).came({ absentMs, lateMs }, now, limitMs()));
    this.#lookOrPass(now, hasRead);
  }
}

const delayOf = (leftMs: number): number => Math.min(leftMs, Math.max(LOOK_MS, leftMs / LOOKS_OF_THE_REST));

/** Returns by how many ms a timer may be late within a wait of `limitMs`. If it is later, the panel itself was paused. */
export function toleratedLatenessMs(limitMs: number): number {
  return Math.min(LONGEST_LATENESS_MS, Math.max(limitMs / 4, SHORTEST_LATENESS_MS));
}
