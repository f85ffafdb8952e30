import type { ProcessReading } from '../process-table.ts';

/** Data of one process that is kept from sample to sample. */
export interface KnownProcess {
  /** Number of placeholders for the panel's descriptors (`countOpenFiles`). */
  placeholders?: number;
  /** Name of its program (`nameOfProgram`). */
  programName?: string;
  /** The last full reading without written bytes, and the stat line it belongs to. */
  reading?: { readonly statLine: string; readonly reading: ProcessReading };
  /** The last returned object with written bytes, and the full reading it was made of. */
  told?: { readonly of: ProcessReading; readonly reading: ProcessReading };
  /** Number of samples that used the last full reading. */
  looks: number;
}

/** The processes of the last pass, by pid and start time, because pids are reused. */
export class KnownProcesses {
  /** This map and the one below hold the last two passes. */
  #known = new Map<string, KnownProcess>();
  #seen = new Map<string, KnownProcess>();

  /** Begins a pass over all processes, and forgets those that the last pass did not see. */
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
