import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WallClock } from '../clock.ts';

export interface PanelStarterOptions {
  /** Home folder of the panel. */
  readonly home: string;
  readonly wallClock: WallClock;
  readonly mayStart: () => boolean;
  /** Starts the panel; resolves when that process has ended. Never rejects. */
  readonly start: () => Promise<void>;
}

/** Starts within `WITHIN_MS`: a panel that dies again and again is not started for ever. */
const MAX_STARTS = 3;
const WITHIN_MS = 10 * 60_000;

/**
 * Starts the panel when a client wants it: one at a time, and three times in ten minutes at most. The times stand in the home,
 * because each panel has a doorkeeper of its own.
 */
export class PanelStarter {
  readonly #options: PanelStarterOptions;
  #isStarting = false;

  constructor(options: PanelStarterOptions) {
    this.#options = options;
  }

  wanted(): void {
    const { mayStart, start, wallClock } = this.#options;
    if (this.#isStarting) return;
    const nowMs = wallClock.epochMs();
    const recent = this.#read().filter((at) => at <= nowMs && nowMs - at < WITHIN_MS);
    if (recent.length >= MAX_STARTS || !mayStart()) return;
    this.#write([...recent, nowMs]);
    this.#isStarting = true;
    void start().then(() => (this.#isStarting = false));
  }

  get #path(): string {
    return join(this.#options.home, 'doorkeeper-starts');
  }

  #read(): readonly number[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return []; // No client has started it so far.
    }
  }

  #write(times: readonly number[]): void {
    try {
      writeFileSync(this.#path, times.join('\n'), { mode: 0o600 });
    } catch {
      // A home that cannot be written keeps nobody from starting the panel.
    }
  }
}
