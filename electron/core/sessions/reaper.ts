import type { Clock, Disposable } from '../clock.ts';

export interface ReaperOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  sweep(): void;
  onError(error: unknown): void;
}

/** Sweeps at an interval for as long as it is started. A sweep that throws does not keep the next one from coming. */
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
    return this.#options.clock.setTimeout(() => this.#tick(), this.#options.intervalMs);
  }

  #tick(): void {
    // Before the sweep, which may stop us.
    this.#timer = this.#arm();
    try {
      this.#options.sweep();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
