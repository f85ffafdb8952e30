import { setImmediate } from 'node:timers/promises';

/** Reads and processes per slice of about 1 ms, after which frames and input have the event loop. */
const READS_PER_SLICE = 150;
const PROCESSES_PER_SLICE = 50;

/** Cuts one long pass over /proc into slices. There is one object per pass. */
export class Slices {
  #reads = 0;
  #processes = 0;

  /** Counts one process that takes `reads` reads. True when the event loop must be released (`pause`) before the next process. */
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
