import { setImmediate } from 'node:timers/promises';

/** Reads per slice, about 1 ms: the event loop stays free for frames and input in between. */
const READS_PER_SLICE = 150;
const PROCESSES_PER_SLICE = 50;

/** Cuts one long pass over /proc into slices. One per pass. */
export class Slices {
  #reads = 0;
  #processes = 0;

  /** Counts one process that takes `reads` reads. True when the loop must be released (`pause`) before the next one. */
  isFullAfter(reads: number): boolean {
    this.#reads += reads;
    this.#processes += 1;
    return this.#reads >= READS_PER_SLICE || this.#processes >= PROCESSES_PER_SLICE;
  }

  async pause(): Promise<void> {
    this.#reads = 0;
    this.#processes = 0;
    await setImmediate();
  }
}
