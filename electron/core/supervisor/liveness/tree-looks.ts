import { isComputing, TreeWork, type WorkDone, type WorkLook, type WorkMark } from './tree-work.ts';

/** What a look at the process table shows. */
export interface TreeLook extends WorkLook {
  /** Processes that would have to answer and are stopped by a signal. */
  readonly stoppedPids: readonly number[];
  readonly isTraced: boolean;
}

/** What liveness makes of the looks at one process tree. */
export class TreeLooks {
  readonly #work: TreeWork;
  /** Looks are to be had. Of a remote server nobody sees what it does. */
  readonly #seesTree: boolean;
  /** Where the work of its silence is measured from, and which silence that is. */
  #silence: { readonly sinceMs: number; readonly work: WorkMark };
  #stoppedPids: readonly number[] = [];
  #stoppedSinceMs: number | undefined;
  #isTraced = false;

  constructor({ nowMs, seesTree }: { readonly nowMs: number; readonly seesTree: boolean }) {
    this.#seesTree = seesTree;
    this.#work = new TreeWork(nowMs);
    this.#silence = { sinceMs: -Infinity, work: this.#work.mark() };
  }

  /** A debugger is attached to some process. */
  get isTraced(): boolean {
    return this.#isTraced;
  }
  /** Since when the process that would have to answer has been stopped; undefined when it is not. */
  get stoppedSinceMs(): number | undefined {
    return this.#stoppedSinceMs;
  }
  /** Where work that is done from now on is measured from. */
  get mark(): WorkMark {
    return this.#work.mark();
  }
  /** What the tree has done since it fell silent; undefined where nobody has looked since. */
  get workInSilence(): WorkDone | undefined {
    return this.#work.since(this.#silence.work);
  }
  get isComputingInSilence(): boolean {
    return this.isComputingSince(this.#silence.work);
  }

  /**
   * True when a process is stopped that was not before: the server is to be asked.
   * @param activityAtMs the last message of the server
   */
  looked(look: TreeLook, nowMs: number, activityAtMs: number): boolean {
    this.#isTraced = look.isTraced;
    // The server fell silent after the look before this one.
    if (this.#silence.sinceMs !== activityAtMs) this.#silence = { sinceMs: activityAtMs, work: this.mark };
    this.#work.looked(nowMs, look);
    const isNews = look.stoppedPids.some((pid) => !this.#stoppedPids.includes(pid));
    this.#stoppedPids = look.stoppedPids;
    if (look.stoppedPids.length === 0) this.#stoppedSinceMs = undefined;
    else if (isNews) this.#stoppedSinceMs = nowMs;
    return isNews;
  }

  /** The server has answered a question: what was stopped before `sentAtMs` is not the process that answers. */
  answered(sentAtMs: number): void {
    if (this.#stoppedSinceMs !== undefined && sentAtMs >= this.#stoppedSinceMs)
      this.#stoppedSinceMs = undefined;
  }

  /** We were absent: a process that is stopped counts from the next look on. */
  forgetStopped(): void {
    this.#stoppedPids = [];
    this.#stoppedSinceMs = undefined;
  }

  /** Where looks are to be had and none has come since, nobody can say that it does not compute. */
  isComputingSince(mark: WorkMark): boolean {
    const done = this.#work.since(mark);
    return done === undefined ? this.#seesTree : isComputing(done);
  }
}
