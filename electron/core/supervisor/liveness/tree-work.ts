/** What one look at a tree tells of its work since the look before; absent where it cannot be read. */
export interface WorkLook {
  readonly usedCpuMs?: number | undefined;
  readonly writtenBytes?: number | undefined;
}

/** A moment to measure work from. Opaque. */
export interface WorkMark {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
}

/** What a tree has done over some time. */
export interface WorkDone {
  readonly overMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
}

/** Less than this part of one core is what waiting costs: timers, a thread that logs, a helper that idles. */
const WORKING_SHARE = 0.1;

/** Adds up what a tree uses, look by look, so that the time since any mark can be measured. */
export class TreeWork {
  #now: WorkMark;

  /** Looks count from `atMs` on. */
  constructor(atMs: number) {
    this.#now = { atMs, cpuMs: 0, writtenBytes: 0 };
  }

  looked(atMs: number, { usedCpuMs = 0, writtenBytes = 0 }: WorkLook): void {
    const { cpuMs, writtenBytes: written } = this.#now;
    this.#now = { atMs, cpuMs: cpuMs + usedCpuMs, writtenBytes: written + writtenBytes };
  }

  /** The last look, which lies before this moment. */
  mark(): WorkMark {
    return this.#now;
  }

  /** Undefined where no look came since. */
  since(mark: WorkMark): WorkDone | undefined {
    const { atMs, cpuMs, writtenBytes } = this.#now;
    if (atMs <= mark.atMs) return undefined;
    return {
      overMs: atMs - mark.atMs,
      cpuMs: cpuMs - mark.cpuMs,
      writtenBytes: writtenBytes - mark.writtenBytes,
    };
  }
}

export function isComputing({ cpuMs, overMs }: WorkDone): boolean {
  return cpuMs >= WORKING_SHARE * overMs;
}
