import type { CallProgress } from '../../../shared/domain.ts';
import type { Clock, Disposable } from '../clock.ts';

/** The interval is short enough to look live, and bounded because a server may report a thousand times a second. */
const INTERVAL_MS = 30;

/** Passes on the newest progress of each call, all calls together and not too often. */
export class LatestProgress {
  readonly #clock: Clock;
  readonly #emit: (progress: CallProgress) => void;
  readonly #latest = new Map<string, CallProgress>();
  #timer: Disposable | undefined;

  constructor(clock: Clock, emit: (progress: CallProgress) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  set(progress: CallProgress): void {
    this.#latest.set(progress.callId, progress);
    this.#timer ??= this.#clock.setTimeout(() => this.flush(), INTERVAL_MS);
  }

  /** The call is over: what it reported last is of no use any more. */
  drop(callId: string): void {
    this.#latest.delete(callId);
    if (this.#latest.size === 0) this.#disarm();
  }

  /** Passes on what waits, now. */
  flush(): void {
    this.#disarm();
    const waiting = [...this.#latest.values()];
    this.#latest.clear();
    for (const progress of waiting) this.#emit(progress);
  }

  #disarm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
