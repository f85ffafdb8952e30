/** Work of a tree between two samples; undefined where it cannot be read. */
export interface WorkLook {
  readonly usedCpuMs?: number | undefined;
  readonly writtenBytes?: number | undefined;
  /** Whether some process runs, waits for a processor, or waits for a disk. */
  readonly isAtWork?: boolean | undefined;
  /** Whether work is done where it cannot be sampled: in a container, or on another machine. */
  readonly reachesOut?: boolean | undefined;
}

/** Work of a tree over some time. */
export interface WorkDone {
  readonly overMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
  readonly looks: number;
  /** Number of samples that found a process running, waiting for a processor, or waiting for a disk. */
  readonly looksAtWork: number;
  /** Number of samples that found work done where it cannot be sampled. */
  readonly looksReachingOut: number;
}

/** Work of a server as an excuse for its silence. Work that cannot be seen excuses as computing does. */
export type Work = 'none' | 'computing' | 'unseen';

/** Totals up to one sample. */
interface Mark extends Omit<WorkDone, 'overMs'> {
  readonly atMs: number;
}

/**
 * Share of one core below which a server counts as waiting, because timers, a thread that logs or an idle helper use some CPU,
 * too.
 */
const WORKING_SHARE = 0.1;
/**
 * Maximum marks kept. It is reached only after minutes of silence; then every other mark is dropped, because the rest
 * suffices.
 */
const MAX_MARKS = 120;

/** Sums the work of a tree by sample and keeps the totals, so that the work since any moment can be computed. */
export class TreeWork {
  #last: Mark;
  /** Totals at some samples, oldest first, at least `#spacingMs` apart. */
  #marks: readonly Mark[];
  #spacingMs = 0;

  /** Sampling begins at `atMs`. */
  constructor(atMs: number) {
    this.#last = { atMs, cpuMs: 0, writtenBytes: 0, looks: 0, looksAtWork: 0, looksReachingOut: 0 };
    this.#marks = [this.#last];
  }

  /** @param neededFromMs monotonic time; work before it is never queried */
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

  /** Returns the work since the last kept sample at or before `atMs`. Undefined if no sample was taken since then. */
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
 * Computing shows by the tree's CPU time. It also shows by the state in most samples, because a machine may have too little CPU
 * for all, and a slow disk leaves a server next to none.
 */
export function workOf({ cpuMs, overMs, looks, looksAtWork, looksReachingOut }: WorkDone): Work {
  if (cpuMs >= WORKING_SHARE * overMs || looksAtWork * 2 > looks) return 'computing';
  return looksReachingOut * 2 > looks ? 'unseen' : 'none';
}
