import { THRESHOLD_MS } from './read-kinds.ts';

const TICK_MS = 100;
/** When our own loop is later than this, the panel judges nobody before a new window has passed. */
const LATE_MS = Math.min(1000, THRESHOLD_MS / 4);
/** After so many windows it judges all the same. */
const MOST_WINDOWS = 3;

/** How late the loop is in which both the panel and its clients run. Dispose it. */
export class OwnLoop {
  readonly #lateAtMs: number[] = [];
  readonly #timer: NodeJS.Timeout;
  #longestMs = 0;

  constructor() {
    let dueAtMs = performance.now() + TICK_MS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      const lateMs = now - dueAtMs;
      this.#longestMs = Math.max(this.#longestMs, lateMs);
      if (lateMs > LATE_MS) this.#lateAtMs.push(now);
      dueAtMs = now + TICK_MS;
    }, TICK_MS);
  }

  get longestLateMs(): number {
    return this.#longestMs;
  }

  /** What a verdict may take longer because the loop was late after that moment. */
  extraSince(atMs: number): number {
    const windows = this.#lateAtMs.filter((lateAtMs) => lateAtMs >= atMs).length;
    return Math.min(windows, MOST_WINDOWS) * THRESHOLD_MS;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
