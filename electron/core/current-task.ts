import type { LoopTask } from '../../shared/panel-figures.ts';
import type { Clock } from './clock.ts';

/** A piece of work that runs without a pause, within one event-loop tick. */
export interface Piece {
  readonly task: LoopTask;
  /** Instance of the server that the work was for; undefined for none. */
  readonly instance: string | undefined;
  readonly tookMs: number;
}

/** Minimum share of an outer piece's time that an inner piece must take to be reported instead of the outer one. */
const TELLING_SHARE = 0.5;

/**
 * Records which task the main loop works on, so that the cause of a long event-loop tick can be named. Code that receives work
 * wraps it in `run`, which costs two clock reads and allocates nothing.
 */
export class CurrentTask {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #tasks: LoopTask[] = [];
  readonly #instances: (string | undefined)[] = [];
  readonly #beganMs: number[] = [];
  #depth = 0;
  #longestMs = 0;
  #longestBeganMs = 0;
  #longestTask: LoopTask | undefined;
  #longestInstance: string | undefined;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** Runs `act`, which must be synchronous; its exceptions propagate. */
  run<T>(task: LoopTask, instance: string | undefined, act: () => T): T {
    const depth = this.#depth;
    this.#tasks[depth] = task;
    this.#instances[depth] = instance;
    this.#beganMs[depth] = this.#clock.now();
    this.#depth = depth + 1;
    try {
      return act();
    } finally {
      this.#depth = depth;
      this.#done(depth);
    }
  }

  /** Returns the longest piece of work since the previous call of `takeLongest`; undefined if there was none. */
  takeLongest(): Piece | undefined {
    const task = this.#longestTask;
    const piece = task && { task, instance: this.#longestInstance, tookMs: this.#longestMs };
    this.#longestMs = 0;
    this.#longestTask = undefined;
    this.#longestInstance = undefined;
    return piece;
  }

  #done(depth: number): void {
    const beganMs = this.#beganMs[depth]!;
    const tookMs = this.#clock.now() - beganMs;
    if (this.#longestTask !== undefined && tookMs <= this.#longestMs) return;
    const isOutside = this.#longestTask !== undefined && this.#longestBeganMs >= beganMs;
    if (isOutside && this.#longestMs >= tookMs * TELLING_SHARE) return;
    this.#longestMs = tookMs;
    this.#longestBeganMs = beganMs;
    this.#longestTask = this.#tasks[depth];
    this.#longestInstance = this.#instances[depth];
  }
}
