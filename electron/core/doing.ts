import type { LoopTask } from '../../shared/panel-figures.ts';
import type { Clock } from './clock.ts';

/** Something that was done without a pause. */
export interface Piece {
  readonly task: LoopTask;
  /** The instance of a server for which it was done, if for one. */
  readonly instance: string | undefined;
  readonly tookMs: number;
}

/** An inner piece that takes this share of an outer one is the better name for it. */
const TELLING_SHARE = 0.5;

/**
 * What the main loop is busy with: marked where work comes in, so that a turn that took long can be given a name. A mark costs
 * two looks at the clock and allocates nothing.
 */
export class Doing {
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

  /** Does `act`, which must not wait for anything; what it throws passes. */
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

  /** The longest piece since the last question; undefined when nothing was marked. */
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
