/**
 * A gap during which the panel itself was not running: a deadline timer ran late because the event loop was blocked or the
 * machine asleep.
 */
export interface Absence {
  /** Milliseconds since the last check. */
  readonly absentMs: number;
  /** Milliseconds since the time at which the check was due. */
  readonly lateMs: number;
  /** True when a full new observation window (time span) begins; false when only the lateness is excused. */
  readonly opensWindow: boolean;
}

/**
 * Maximum number of new observation windows in a row, because on an overloaded machine endless windows would prevent any
 * verdict.
 */
const WINDOWS_IN_A_ROW = 3;

/** Counts gaps that follow each other without a full observation window between them. */
export class AbsenceCount {
  #inARow = 0;
  #lastAtMs = -Infinity;

  /** Records a gap. @param windowMs length of an observation window in ms */
  came(times: Pick<Absence, 'absentMs' | 'lateMs'>, nowMs: number, windowMs: number): Absence {
    const isInARow = nowMs - times.lateMs - this.#lastAtMs < windowMs;
    this.#inARow = isInARow ? this.#inARow + 1 : 1;
    this.#lastAtMs = nowMs;
    return { ...times, opensWindow: this.#inARow <= WINDOWS_IN_A_ROW };
  }

  /** Resets the count, because the gap has a known cause: the machine was asleep. */
  forget(): void {
    this.#inARow = 0;
    this.#lastAtMs = -Infinity;
  }
}
