import { setImmediate } from 'node:timers/promises';

/** About 1 ms of reading: the loop stays free for frames and input in between. */
const READS_PER_SLICE = 150;
const PROCESSES_PER_SLICE = 50;

/** Cuts one long pass over /proc into slices. One per pass. */
export class Slices {
  #reads = 0;
  #processes = 0;

  /** Counts one process that takes `reads` looks. True when the loop has to be let go (`pause`) before the next one. */
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
