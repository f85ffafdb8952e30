import type { Clock, Disposable } from '../clock.ts';

export interface ReaperOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  sweep(): void;
}

/** Sweeps at an interval for as long as it is started. */
export class Reaper {
  readonly #options: ReaperOptions;
  #timer: Disposable | undefined;

  constructor(options: ReaperOptions) {
    this.#options = options;
  }

  /** Does nothing when started already: the rhythm stays. */
  start(): void {
    this.#timer ??= this.#arm();
  }

  stop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #arm(): Disposable {
    const { clock, intervalMs } = this.#options;
    return clock.setTimeout(() => this.#tick(), intervalMs);
  }

  #tick(): void {
    // Before the sweep, which may stop us; and a sweep that fails must not be the last one.
    this.#timer = this.#arm();
    this.#options.sweep();
  }
}
