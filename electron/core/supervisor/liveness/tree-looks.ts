import type { StoppedServer } from '../../telemetry/tree-facts.ts';
import { TreeWork, workOf, type Work, type WorkDone, type WorkLook } from './tree-work.ts';

/** Facts from one sample of the process tree. */
export interface TreeLook extends WorkLook {
  /** The process that has to answer; undefined unless a signal, or the engine of its container, stopped it. */
  readonly stoppedServer?: StoppedServer | undefined;
  /** Whether a debugger holds the process that has to answer. */
  readonly isHeld?: boolean | undefined;
}

/**
 * Stopped server process, and the time since it is stopped. The time is undefined once the server has answered, because then
 * another process answers.
 */
interface Stop {
  readonly server: StoppedServer;
  readonly sinceMs: number | undefined;
  /** Middle between the first sample that saw the stop and the one before; it counts once the process has stood still. */
  readonly likelySinceMs: number;
}

/** Longest time in ms before its first sample from which a stop counts. */
const LONGEST_BEFORE_MS = 500;

/** Evaluates the samples of one process tree for liveness. */
export class TreeLooks {
  readonly #work: TreeWork;
  /** Whether there are samples. A remote server has none and is judged without them. */
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
  /** Whether the engine of a container has stopped it. */
  get isPaused(): boolean {
    return this.#stop?.server.by === 'engine';
  }

  /**
   * Takes a sample. Returns true if the server has to be probed: its process is newly stopped, or did not run between two
   * samples. @param neededFromMs time of the last answer; work before it is never queried
   */
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

  /** Notes an answer to a message sent at `sentAtMs`: a process stopped before that time is not the one that answers. */
  answered(sentAtMs: number): void {
    const stop = this.#stop;
    if (stop?.sinceMs !== undefined && sentAtMs >= stop.sinceMs) this.#stop = { ...stop, sinceMs: undefined };
  }

  /** Restarts the time of a stopped process with the next sample, because of a gap of the event loop. */
  forgetStopped(): void {
    this.#stop = undefined;
  }

  /** Returns the work of the tree since `atMs`; undefined if no sample was taken since then. */
  doneSince(atMs: number): WorkDone | undefined {
    return this.#work.since(atMs);
  }

  /** Returns the work of the tree since `atMs` as an excuse. If most of that time has no samples, the work is unknown. */
  workSince(atMs: number, nowMs: number): Work {
    if (!this.#seesTree) return 'none';
    const done = this.#work.since(atMs);
    const isSeen = done !== undefined && (this.#lookedAtMs - atMs) * 2 >= nowMs - atMs;
    return isSeen ? workOf(done) : 'unseen';
  }
}

/** Whether the process did not run between the two samples. */
function isSameStop(before: StoppedServer, now: StoppedServer): boolean {
  return (
    before.pid === now.pid &&
    before.startTime === now.startTime &&
    before.cpuTimeMs === now.cpuTimeMs &&
    before.contextSwitches === now.contextSwitches
  );
}
