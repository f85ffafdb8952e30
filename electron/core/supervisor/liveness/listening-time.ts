import { AbsenceCount, type Absence } from '../../absence.ts';

/** Delay that is subtracted from the elapsed time, and the time when it ended. */
interface Lateness {
  readonly atMs: number;
  readonly lateMs: number;
}

/** Maximum number of delays kept. Older ones are merged, which subtracts slightly too much. */
const KEPT_LATENESSES = 100;

/**
 * Time during which the panel listened to a server. Time during which its own event loop was blocked does not count as silence.
 */
export class ListeningTime {
  readonly #count = new AbsenceCount();
  readonly #latenesses: Lateness[] = [];
  #windowStartMs: number;

  constructor(nowMs: number) {
    this.#windowStartMs = nowMs;
  }

  /** Start of the observation window, the time span that durations are measured in. Earlier times do not count. */
  get windowStartMs(): number {
    return this.#windowStartMs;
  }

  /** Records that a timer ran late. @returns whether a new window begins; after a few new windows in a row, none begins */
  wasAbsent(times: Pick<Absence, 'absentMs' | 'lateMs'>, nowMs: number, windowMs: number): boolean {
    const { opensWindow } = this.#count.came(times, nowMs, windowMs);
    if (opensWindow) this.openWindow(nowMs);
    else this.#takeOff({ atMs: nowMs, lateMs: times.lateMs });
    return opensWindow;
  }

  /** Begins a new observation window (time span), because the machine was asleep. */
  slept(nowMs: number): void {
    this.#count.forget();
    this.openWindow(nowMs);
  }

  /** Begins a new observation window: all durations restart from now. */
  openWindow(nowMs: number): void {
    this.#windowStartMs = nowMs;
    this.#latenesses.length = 0;
  }

  /** Returns the listening time in ms since `atMs`, within the observation window. */
  since(atMs: number, nowMs: number): number {
    const fromMs = Math.max(atMs, this.#windowStartMs);
    // Fast path: called several times a second per server, nearly always without delays.
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
