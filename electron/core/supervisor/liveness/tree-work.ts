/** What one look at a tree tells of its work since the look before; absent where it cannot be read. */
export interface WorkLook {
  readonly usedCpuMs?: number | undefined;
  readonly writtenBytes?: number | undefined;
  /** Some process runs, waits for a processor, or waits for a disk. */
  readonly isAtWork?: boolean | undefined;
  /** Work of the server is done where no look of ours reaches: in a container, on another machine. */
  readonly reachesOut?: boolean | undefined;
}

/** What a tree has done over some time. */
export interface WorkDone {
  readonly overMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
  readonly looks: number;
  /** The looks among these that found a process running, waiting for a processor, or waiting for a disk. */
  readonly looksAtWork: number;
  /** Those that found that work is done where none reaches. */
  readonly looksReachingOut: number;
}

/** What a server does, as far as that excuses its silence: what nobody sees counts like computing. */
export type Work = 'none' | 'computing' | 'unseen';

/** Totals of all looks up to one. */
interface Mark extends Omit<WorkDone, 'overMs'> {
  readonly atMs: number;
}

/** Less than this part of one core is what waiting costs: timers, a thread that logs, a helper that idles. */
const WORKING_SHARE = 0.1;
/** A silent server has more looks than this only after minutes; then every second one tells enough. */
const MAX_MARKS = 120;

/** Adds up what a tree uses, look by look, and keeps the totals, so that the work since any moment can be told. */
export class TreeWork {
  #last: Mark;
  /** Totals at some looks, the oldest first, `#spacingMs` apart at least. */
  #marks: readonly Mark[];
  #spacingMs = 0;

  /** Looks count from `atMs` on. */
  constructor(atMs: number) {
    this.#last = { atMs, cpuMs: 0, writtenBytes: 0, looks: 0, looksAtWork: 0, looksReachingOut: 0 };
    this.#marks = [this.#last];
  }

  /** @param neededFromMs nobody will ask for the work since a moment before */
  looked(atMs: number, look: WorkLook, neededFromMs: number): void {
    const { usedCpuMs = 0, writtenBytes = 0, isAtWork = false, reachesOut = false } = look;
    const last = this.#last;
    this.#last = {
      atMs,
      cpuMs: last.cpuMs + usedCpuMs,
      writtenBytes: last.writtenBytes + writtenBytes,
      looks: last.looks + 1,
      looksAtWork: last.looksAtWork + (isAtWork ? 1 : 0),
      looksReachingOut: last.looksReachingOut + (reachesOut ? 1 : 0),
    };
    this.#forgetBefore(neededFromMs);
    this.#keep(this.#last);
  }

  /** From the last look that is kept at or before `atMs`. Undefined where no look came since. */
  since(atMs: number): WorkDone | undefined {
    const to = this.#last;
    const from = to.atMs <= atMs ? to : (this.#marks.findLast((mark) => mark.atMs <= atMs) ?? this.#marks[0]);
    if (from === undefined || from.atMs === to.atMs) return undefined;
    return {
      overMs: to.atMs - from.atMs,
      cpuMs: to.cpuMs - from.cpuMs,
      writtenBytes: to.writtenBytes - from.writtenBytes,
      looks: to.looks - from.looks,
      looksAtWork: to.looksAtWork - from.looksAtWork,
      looksReachingOut: to.looksReachingOut - from.looksReachingOut,
    };
  }

  #forgetBefore(neededFromMs: number): void {
    const first = this.#marks.findLastIndex((mark) => mark.atMs <= neededFromMs);
    if (first > 0) this.#marks = this.#marks.slice(first);
    if (this.#marks.length === 1) this.#spacingMs = 0;
  }

  #keep(mark: Mark): void {
    const newest = this.#marks.at(-1);
    if (newest !== undefined && mark.atMs - newest.atMs < this.#spacingMs) return;
    if (this.#marks.length >= MAX_MARKS) {
      this.#marks = this.#marks.filter((_, index) => index % 2 === 0);
      const [first, second] = this.#marks;
      this.#spacingMs = first && second ? second.atMs - first.atMs : 0;
    }
    this.#marks = [...this.#marks, mark];
  }
}

/**
 * Computing is told by the CPU that the tree got, or, because a machine may have too little for all who compute, by what most
 * looks found it at. A slow disk gives a server next to no CPU, too.
 */
export function workOf({ cpuMs, overMs, looks, looksAtWork, looksReachingOut }: WorkDone): Work {
  if (cpuMs >= WORKING_SHARE * overMs || looksAtWork * 2 > looks) return 'computing';
  return looksReachingOut * 2 > looks ? 'unseen' : 'none';
}
