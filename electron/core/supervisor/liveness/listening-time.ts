import { AbsenceCount, type Absence } from '../../absence.ts';

/** A delay of the panel's event loop, which is subtracted from measured durations, and the time at which it ended. */
interface Lateness {
  readonly atMs: number;
  readonly lateMs: number;
}

/** Maximum number of remembered delays. Beyond it, the two oldest are merged, so that slightly too much may be subtracted. */
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

  /**
   * Records that a timer fired late, because the event loop was blocked or the machine asleep. @returns whether this begins a
   * new observation window; after a few windows in quick succession, only the delay is subtracted
   */
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
