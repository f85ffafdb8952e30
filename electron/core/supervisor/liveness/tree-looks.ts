import type { StoppedServer } from '../../telemetry/tree-facts.ts';
import { TreeWork, workOf, type Work, type WorkDone, type WorkLook } from './tree-work.ts';

/** What a look at the process table shows. */
export interface TreeLook extends WorkLook {
  /** The process that would have to answer, where it is stopped by a signal. */
  readonly stoppedServer?: StoppedServer | undefined;
  /** That process is held by a debugger. */
  readonly isHeld?: boolean | undefined;
}

/** A server process that stands still, and since when; undefined once it has answered, so that it cannot be the one. */
interface Stop {
  readonly server: StoppedServer;
  readonly sinceMs: number | undefined;
}

/** What liveness makes of the looks at one process tree. */
export class TreeLooks {
  readonly #work: TreeWork;
  /** Looks are to be had. Of a remote server nobody sees what it does, and it is judged without. */
  readonly #seesTree: boolean;
  #lookedAtMs: number;
  #stop: Stop | undefined;
  #heldAtMs = -Infinity;

  constructor({ nowMs, seesTree }: { readonly nowMs: number; readonly seesTree: boolean }) {
    this.#seesTree = seesTree;
    this.#lookedAtMs = nowMs;
    this.#work = new TreeWork(nowMs);
  }

  /** The last look that found the server process held by a debugger; `-Infinity` without one. */
  get heldAtMs(): number {
    return this.#heldAtMs;
  }
  /** Since when the process that would have to answer has stood still, stopped by a signal; undefined when it has not. */
  get stoppedSinceMs(): number | undefined {
    return this.#stop?.sinceMs;
  }

  /**
   * True when the server is to be asked: its process is newly stopped, or stands still between two looks.
   * @param neededFromMs the last answer: nobody asks for the work since a moment before
   */
  looked(look: TreeLook, nowMs: number, neededFromMs: number): boolean {
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
    if (!hasStoodStill) this.#stop = { server, sinceMs: nowMs };
    // One that is stopped and continued many times a second (cpulimit) is not asked at every look.
    return hasStoodStill ? before.sinceMs !== undefined : before?.server.pid !== server.pid;
  }

  /** The server has answered a question: what was stopped before `sentAtMs` is not the process that answers. */
  answered(sentAtMs: number): void {
    const { sinceMs, server } = this.#stop ?? {};
    if (server && sinceMs !== undefined && sentAtMs >= sinceMs) this.#stop = { server, sinceMs: undefined };
  }

  /** We were absent: a process that is stopped counts from the next look on. */
  forgetStopped(): void {
    this.#stop = undefined;
  }

  /** What the tree has done since `atMs`; undefined where nobody has looked since. */
  doneSince(atMs: number): WorkDone | undefined {
    return this.#work.since(atMs);
  }

  /** The same as far as it excuses. Where looks are to be had and most of the time was not looked at, nobody can say what it did. */
  workSince(atMs: number, nowMs: number): Work {
    if (!this.#seesTree) return 'none';
    const done = this.#work.since(atMs);
    const isSeen = done !== undefined && (this.#lookedAtMs - atMs) * 2 >= nowMs - atMs;
    return isSeen ? workOf(done) : 'unseen';
  }
}

/** The process has not run between two looks. */
function isSameStop(before: StoppedServer, now: StoppedServer): boolean {
  return (
    before.pid === now.pid &&
    before.startTime === now.startTime &&
    before.cpuTimeMs === now.cpuTimeMs &&
    before.contextSwitches === now.contextSwitches
  );
}
