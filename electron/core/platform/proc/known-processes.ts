import type { ProcessReading } from '../process-table.ts';

/** Data of one process that is kept from sample to sample. */
export interface KnownProcess {
  /** Number of placeholders for the panel's descriptors (`countOpenFiles`). */
  placeholders?: number;
  /** Name of the process's program (`nameOfProgram`). */
  programName?: string;
  /** The last full reading without written bytes, and the stat line that was read with it. */
  reading?: { readonly statLine: string; readonly reading: ProcessReading };
  /** The last returned object with written bytes, and the full reading from which it was made. */
  told?: { readonly of: ProcessReading; readonly reading: ProcessReading };
  /** Number of samples that used the last full reading. */
  looks: number;
}

/** The processes of the last pass, by pid and start time, because pids are reused. */
export class KnownProcesses {
  /** Processes of the last full pass; `#seen` has those of the current one. Both are by pid and start time. */
  #known = new Map<string, KnownProcess>();
  #seen = new Map<string, KnownProcess>();

  /** Begins a pass over all processes, and forgets the processes that the pass before it did not see. */
  beginPass(): void {
    this.#known = this.#seen;
    this.#seen = new Map();
  }

  /** Returns the data kept of a process; empty for a new one. */
  of(pid: number, startTime: string): KnownProcess {
    const key = `${pid} ${startTime}`;
    const known = this.#known.get(key) ?? this.#seen.get(key) ?? { looks: 0 };
    this.#seen.set(key, known);
    return known;
  }
}
