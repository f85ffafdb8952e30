/**
 * A gap during which the panel's process was not running: a timer that checks a deadline fired late, because the event loop was
 * blocked or the machine was asleep. A server must not be blamed for such a gap.
 */
export interface Absence {
  /** Milliseconds since the last check. */
  readonly absentMs: number;
  /** Milliseconds since the time at which the check was due. */
  readonly lateMs: number;
  /** True if the span in which the server is observed starts over because of the gap; false if only the lateness is excused. */
  readonly opensWindow: boolean;
}

/**
 * Maximum number of consecutive gaps that start a new observation window. On an overloaded machine, endless new windows would
 * mean that a server is never judged.
 */
const WINDOWS_IN_A_ROW = 3;

/** Counts consecutive gaps: those with less than a full observation window between them. */
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
