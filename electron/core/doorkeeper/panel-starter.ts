import type { Clock } from '../clock.ts';

export interface PanelStarterOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly mayStart: () => boolean;
  /** Starts the panel; resolves when that process has ended. Never rejects. */
  readonly start: () => Promise<void>;
}

/** Starts within `WITHIN_MS`: a panel that cannot start is not tried for ever. */
const MAX_STARTS = 3;
const WITHIN_MS = 10 * 60_000;

/** Starts the panel when a client wants it: one at a time, and three times in ten minutes at most. */
export class PanelStarter {
  readonly #options: PanelStarterOptions;
  #startedAtMs: readonly number[] = [];
  #isStarting = false;

  constructor(options: PanelStarterOptions) {
    this.#options = options;
  }

  wanted(): void {
    const { clock, mayStart, start } = this.#options;
    if (this.#isStarting) return;
    this.#startedAtMs = this.#startedAtMs.filter((at) => clock.now() - at < WITHIN_MS);
    if (this.#startedAtMs.length >= MAX_STARTS || !mayStart()) return;
    this.#startedAtMs = [...this.#startedAtMs, clock.now()];
    this.#isStarting = true;
    void start().then(() => (this.#isStarting = false));
  }
}
