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

  /**
   * When a verdict is due that takes so long from that moment on. The loop that was late opens a window, from which all is
   * measured anew; after a few windows only the time for which it was late is added.
   */
  dueAt(fromMs: number, withinMs: number): number {
    const late = this.#lateSince(fromMs);
    const lastWindowAtMs = late.slice(0, MOST_WINDOWS).at(-1)?.atMs ?? fromMs;
    return lastWindowAtMs + withinMs + late.reduce((sum, { byMs }) => sum + byMs, 0);
  }

  /** How often it was late after that moment. */
  countSince(fromMs: number): number {
    return this.#lateSince(fromMs).length;
  }

  #lateSince(fromMs: number): readonly { readonly atMs: number; readonly byMs: number }[] {
    return this.#late.filter(({ atMs }) => atMs >= fromMs);
  }

  dispose(): void {
    clearInterval(this.#timer);
  }
}
