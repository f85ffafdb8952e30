/** An absence of our own: a timer of somebody whom we judge ran late, because our loop was blocked or the machine asleep. */
export interface Absence {
  /** Since we last looked. */
  readonly absentMs: number;
  /** Since we were to look. */
  readonly lateMs: number;
  /** One new full window begins; else only the lateness is taken off what has passed. */
  readonly opensWindow: boolean;
}

/** On a machine with too much to do we are late again and again, and endless windows would convict nobody. */
const WINDOWS_IN_A_ROW = 3;

/** Counts the absences that follow each other without a full window between them. */
export class AbsenceCount {
  #inARow = 0;
  #lastAtMs = -Infinity;

  /** @param windowMs how long a window is */
  came(times: Pick<Absence, 'absentMs' | 'lateMs'>, nowMs: number, windowMs: number): Absence {
    const isInARow = nowMs - times.lateMs - this.#lastAtMs < windowMs;
    this.#inARow = isInARow ? this.#inARow + 1 : 1;
    this.#lastAtMs = nowMs;
    return { ...times, opensWindow: this.#inARow <= WINDOWS_IN_A_ROW };
  }

  /** It is known why we were absent: the machine was asleep. */
  forget(): void {
    this.#inARow = 0;
    this.#lastAtMs = -Infinity;
  }
}
