import type { StoppedServer, TreeFacts } from '../../telemetry/tree-facts.ts';

export type TreeLook = WorkLook & Pick<TreeFacts, 'stoppedServer' | 'isHeld'>;

/**
 * A server process that was found stopped. `sinceMs` is undefined once the server has answered although this process was
 * stopped, because the answer must come from another process.
 */
interface Stop {
  readonly server: StoppedServer;
  readonly sinceMs: number | undefined;
  /**
   * Midpoint between the first sample that found the process stopped and the sample before it. It is used as the start of the
   * stop once a later sample shows that the process has not run in between.
   */
  readonly likelySinceMs: number;
}

/** Maximum ms by which the assumed start of a stop precedes the first sample that found the process stopped. */
const LONGEST_BEFORE_MS = 500;

/** Evaluates the samples of one process tree for liveness. */
export class TreeLooks {
  readonly #work: TreeWork;
  /** True if there are samples. A remote server has none and is judged without them. */
  readonly #seesTree: boolean;
  #lookedAtMs: number;
  #stop: Stop | undefined;
  #heldAtMs = -Infinity;

  constructor({ nowMs, seesTree }: { readonly nowMs: number; readonly seesTree: boolean }) {
    this.#seesTree = seesTree;
    this.#lookedAtMs = nowMs;
    this.#work = new TreeWork(nowMs);
  }

  /** Time of the last sample that found a debugger on the server process; `-Infinity` without one. */
  get heldAtMs(): number {
    return this.#heldAtMs;
  }
  /** Time since which a signal has stopped the process that has to answer; undefined if it is not stopped. */
  get stoppedSinceMs(): number | undefined {
    return this.#stop?.sinceMs;
  }
  /** True if the engine of a container has paused it. */
  get isPaused(): boolean {
    return this.#stop?.server.by === 'engine';
  }

  /** Adds a sample. Returns true if a probe is needed now: its process is newly stopped, or did not run between two samples. */
  looked(look: TreeLook, nowMs: number, neededFromMs: number): boolean {
    const beforeMs = Math.min((nowMs - this.#lookedAtMs) / 2, LONGEST_BEFORE_MS);
    this.#lookedAtMs = nowMs;
    this.#work.looked(nowMs, look, neededFromMs);
    if (look.isHeld === true) this.#heldAtMs = nowMs;
    const before = this.#stop;
    const { stoppedServer: server } = look;
    if (server === undefined) {
      this.#stop = undefined;
      return false;
    }
    const hasStoodStill = before !== undefined && isSameStop(before.server, server);
    if (!hasStoodStill) this.#stop = { server, sinceMs: nowMs, likelySinceMs: nowMs - beforeMs };
    else if (before.sinceMs !== undefined) this.#stop = { ...before, sinceMs: before.likelySinceMs };
    // A process that is stopped and continued many times a second (cpulimit) is not probed at every sample.
    return hasStoodStill ? before.sinceMs !== undefined : before?.server.pid !== server.pid;
  }

  /**
   * Records an answer to a message that was sent at `sentAtMs`. If the process was already stopped at that time, another
   * process must have answered, so the stop no longer counts.
   */
  answered(sentAtMs: number): void {
    const stop = this.#stop;
    if (stop?.sinceMs !== undefined && sentAtMs >= stop.sinceMs) this.#stop = { ...stop, sinceMs: undefined };
  }

  /**
   * Restarts the measurement of how long a process has been stopped at the next sample. Called because the panel's event loop
   * was late, so that the time measured so far may be wrong.
   */
  forgetStopped(): void {
    this.#stop = undefined;
  }

  /** Returns the work of the process tree since `atMs`; undefined if no sample was taken since then. */
  doneSince(atMs: number): WorkDone | undefined {
    return this.#work.since(atMs);
  }

  /** Returns whether the tree's work since `atMs` excuses the silence; `unseen` if most of that time was not sampled. */
  workSince(atMs: number, nowMs: number): Work {
    if (!this.#seesTree) return 'none';
    const done = this.#work.since(atMs);
    const isSeen = done !== undefined && (this.#lookedAtMs - atMs) * 2 >= nowMs - atMs;
    return isSeen ? workOf(done) : 'unseen';
  }
}

/** True if the process did not run between the two samples. */
function isSameStop(before: StoppedServer, now: StoppedServer): boolean {
  return (
    before.pid === now.pid &&
    before.startTime === now.startTime &&
    before.cpuTimeMs === now.cpuTimeMs &&
    before.contextSwitches === now.contextSwitches
  );
}

/** Work of a process tree between two samples. */
type WorkLook = Pick<TreeFacts, 'usedCpuMs' | 'writtenBytes' | 'isAtWork' | 'reachesOut'>;

export interface WorkDone {
  readonly overMs: number;
  readonly cpuMs: number;
  readonly writtenBytes: number;
  readonly looks: number;
  /** Number of samples that found a process running, waiting for a processor, or waiting for a disk. */
  readonly looksAtWork: number;
  /** Number of samples in which the server worked through something outside its process tree, whose CPU time is unknown. */
  readonly looksReachingOut: number;
}

/**
 * Kind of work that may excuse a server's silence. Work that cannot be observed (`unseen`) is as valid an excuse as computing.
 */
export type Work = 'none' | 'computing' | 'unseen';

/** Totals of the process tree's work up to one sample. */
interface Mark extends Omit<WorkDone, 'overMs'> {
  readonly atMs: number;
}

/**
 * Share of one CPU core from which a server counts as computing. Below it, the server counts as waiting, because timers and
 * idle helper processes also use some CPU time.
 */
const WORKING_SHARE = 0.1;
/** Maximum number of totals kept, reached after minutes of silence. Then every other one is dropped. */
const MAX_MARKS = 120;

/** Sums the work of a process tree by sample and keeps the totals, so that the work since any time can be computed. */
export class TreeWork {
  #last: Mark;
  /** Totals at some samples, oldest first, at least `#spacingMs` apart. */
  #marks: readonly Mark[];
  #spacingMs = 0;

  constructor(atMs: number) {
    this.#last = { atMs, cpuMs: 0, writtenBytes: 0, looks: 0, looksAtWork: 0, looksReachingOut: 0 };
    this.#marks = [this.#last];
  }

  /** Adds a sample. @param neededFromMs monotonic time; work before it is never queried */
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
 * Classifies the work. Computing is recognized by the CPU time, and also by the process state, because a busy machine or a slow
 * disk leaves a process almost no CPU time.
 */
export function workOf({ cpuMs, overMs, looks, looksAtWork, looksReachingOut }: WorkDone): Work {
  if (cpuMs >= WORKING_SHARE * overMs || looksAtWork * 2 > looks) return 'computing';
  return looksReachingOut * 2 > looks ? 'unseen' : 'none';
}
