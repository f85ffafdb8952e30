import { AbsenceCount, type Absence } from '../../absence.ts';

/** Lateness that is taken off what has passed, and when it was over. */
interface Lateness {
  readonly atMs: number;
  readonly lateMs: number;
}

/** Older ones are put together, so that a little too much is taken off. */
const KEPT_LATENESSES = 100;

/** Time in which we listened to a server: what was not heard while we were absent is no silence. Times are monotonic. */
export class ListeningTime {
  readonly #count = new AbsenceCount();
  readonly #latenesses: Lateness[] = [];
  #windowStartMs: number;

  constructor(nowMs: number) {
    this.#windowStartMs = nowMs;
  }

  /** Nothing before this counts. */
  get windowStartMs(): number {
    return this.#windowStartMs;
  }

  /** A timer ran late. True when everything is measured anew from now on; after a few windows in a row only the lateness is taken off. */
  wasAbsent(times: Pick<Absence, 'absentMs' | 'lateMs'>, nowMs: number, windowMs: number): boolean {
    const { opensWindow } = this.#count.came(times, nowMs, windowMs);
    if (opensWindow) this.openWindow(nowMs);
    else this.#takeOff({ atMs: nowMs, lateMs: times.lateMs });
    return opensWindow;
  }

  /** The machine was asleep. */
  slept(nowMs: number): void {
    this.#count.forget();
    this.openWindow(nowMs);
  }

  /** Everything is measured anew from now on. */
  openWindow(nowMs: number): void {
    this.#windowStartMs = nowMs;
    this.#latenesses.length = 0;
  }

  /** Time since `atMs` in which we listened, within the window. */
  since(atMs: number, nowMs: number): number {
    const fromMs = Math.max(atMs, this.#windowStartMs);
    // Asked several times a second of every server, which nearly always listens.
    if (this.#latenesses.length === 0) return nowMs - fromMs;
    const absentMs = this.#latenesses.map((late) => Math.min(late.lateMs, Math.max(0, late.atMs - fromMs)));
    return nowMs - fromMs - absentMs.reduce((sum, ms) => sum + ms, 0);
  }

  #takeOff(lateness: Lateness): void {
    this.#latenesses.push(lateness);
    const [first, second] = this.#latenesses;
    if (this.#latenesses.length <= KEPT_LATENESSES || !first || !second) return;
    this.#latenesses.splice(0, 2, { atMs: second.atMs, lateMs: first.lateMs + second.lateMs });
  }
}
