/** What one look at a tree tells of its work since the look before; absent where it cannot be read. */
export interface WorkLook {
  readonly usedCpuMs?: number | undefined;
  readonly writtenBytes?: number | undefined;
  /** Some process runs, waits for a processor, or waits for a disk. */
  readonly isAtWork?: boolean | undefined;
}

/** A moment to measure work from. Opaque. */
export interface WorkMark {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
  readonly looks: number;
  readonly looksAtWork: number;
}

/** What a tree has done over some time. */
export interface WorkDone {
  readonly overMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
  readonly looks: number;
  /** The looks among these that found a process running, waiting for a processor, or waiting for a disk. */
  readonly looksAtWork: number;
}

/** Less than this part of one core is what waiting costs: timers, a thread that logs, a helper that idles. */
const WORKING_SHARE = 0.1;

/** Adds up what a tree uses, look by look, so that the time since any mark can be measured. */
export class TreeWork {
  #now: WorkMark;

  /** Looks count from `atMs` on. */
  constructor(atMs: number) {
    this.#now = { atMs, cpuMs: 0, writtenBytes: 0, looks: 0, looksAtWork: 0 };
  }

  looked(atMs: number, { usedCpuMs = 0, writtenBytes = 0, isAtWork = false }: WorkLook): void {
    const { cpuMs, writtenBytes: written, looks, looksAtWork } = this.#now;
    this.#now = {
      atMs,
      cpuMs: cpuMs + usedCpuMs,
      writtenBytes: written + writtenBytes,
      looks: looks + 1,
      looksAtWork: looksAtWork + (isAtWork ? 1 : 0),
    };
  }

  /** The last look, which lies before this moment. */
  mark(): WorkMark {
    return this.#now;
  }

  /** Undefined where no look came since. */
  since(mark: WorkMark): WorkDone | undefined {
    const { atMs, cpuMs, writtenBytes, looks, looksAtWork } = this.#now;
    if (atMs <= mark.atMs) return undefined;
    return {
      overMs: atMs - mark.atMs,
      cpuMs: cpuMs - mark.cpuMs,
      writtenBytes: writtenBytes - mark.writtenBytes,
      looks: looks - mark.looks,
      looksAtWork: looksAtWork - mark.looksAtWork,
    };
  }
}

/**
 * By the CPU that it got, or, because a machine may have too little for all who compute, by what most looks found it at.
 * A slow disk gives a server next to no CPU, too.
 */
export function isComputing({ cpuMs, overMs, looks, looksAtWork }: WorkDone): boolean {
  return cpuMs >= WORKING_SHARE * overMs || looksAtWork * 2 > looks;
}
