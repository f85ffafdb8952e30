import { THRESHOLD_MS } from './read-kinds.ts';

const TICK_MS = 100;
/** When our own loop is later than this, the panel judges nobody before a new window has passed. */
const LATE_MS = Math.min(1000, THRESHOLD_MS / 4);
/** After so many windows it judges all the same. */
const MOST_WINDOWS = 3;

/** How late the loop is in which both the panel and its clients run. Dispose it. */
export class OwnLoop {
  readonly #late: { readonly atMs: number; readonly byMs: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #longestMs = 0;

  constructor() {
    let dueAtMs = performance.now() + TICK_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      const lateMs = now - dueAtMs;
      this.#longestMs = Math.max(this.#longestMs, lateMs);
      if (lateMs > LATE_MS) this.#late.push({ atMs: now, byMs: lateMs });
      dueAtMs = now + TICK_MS;
    }, TICK_MS);
  }

  get longestLateMs(): number {
    return this.#longestMs;
  }

  /** What a verdict may take longer because the loop was late after that moment: some windows, and the lateness itself. */
  extraSince(fromMs: number): number {
    const late = this.#late.filter(({ atMs }) => atMs >= fromMs);
    const absentMs = late.reduce((sum, { byMs }) => sum + byMs, 0);
    return Math.min(late.length, MOST_WINDOWS) * THRESHOLD_MS + absentMs;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
