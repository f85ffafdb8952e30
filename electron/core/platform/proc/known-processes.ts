import type { ProcessReading } from '../process-table.ts';

/** What is remembered of one process from look to look. */
export interface KnownProcess {
  /** Descriptors that stand for ours (`countOpenFiles`). */
  placeholders?: number;
  /** Name of its program (`nameOfProgram`). */
  programName?: string;
  /** The last whole reading but for what was written, and the stat line that it was taken by. */
  reading?: { readonly statLine: string; readonly reading: ProcessReading };
  /** What was told last, with what was written, of that reading. */
  told?: { readonly of: ProcessReading; readonly reading: ProcessReading };
  /** Looks that the last whole reading served for. */
  looks: number;
}

/** The processes of the last pass, by pid and start time, because the same pid may be another process. */
export class KnownProcesses {
  /** Together they hold what the last two passes saw. */
  #known = new Map<string, KnownProcess>();
  #seen = new Map<string, KnownProcess>();

  /** A pass over all processes begins: what the last one did not see is forgotten. */
  beginPass(): void {
    this.#known = this.#seen;
    this.#seen = new Map();
  }

  /** What is remembered of a process; empty for a new one. */
  of(pid: number, startTime: string): KnownProcess {
    const key = `${pid} ${startTime}`;
    const known = this.#known.get(key) ?? this.#seen.get(key) ?? { looks: 0 };
    this.#seen.set(key, known);
    return known;
  }
}
