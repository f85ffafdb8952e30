/** One process, told apart from a later one with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal only for the same process (Linux: field 22 of /proc/PID/stat, in clock ticks since boot). */
  readonly startTime: string;
  /** The process group (POSIX); absent where the look does not tell. */
  readonly groupId?: number;
}

/** What one look at a process shows. A figure that cannot be read on this system, or by this user, is absent. */
export interface ProcessReading extends ProcessIdentity {
  readonly ppid: number;
  /** Short name of the program, for people. */
  readonly command: string;
  /** Stopped by a signal (state T). */
  readonly isStopped: boolean;
  /** The process runs, waits for a processor, or waits for a disk. Absent where it does not, or the system does not tell. */
  readonly isAtWork?: boolean;
  /** Holds the root's standard input or output. Absent where it was not looked at: nobody in the tree is stopped or held, or the system does not tell. */
  readonly holdsPipes?: boolean;
  /** Held by a debugger, in tracing stop (state t). A tracer that lets it run does not hold it. */
  readonly isHeld: boolean;
  /** Times that its first thread has given up or lost the processor. Only of a process that is stopped, on Linux: one that stands still has none. */
  readonly contextSwitches?: number;
  /** User and system time of the process itself. */
  readonly cpuTimeMs: number;
  /** User and system time of its children that have ended and were waited for. */
  readonly reapedCpuTimeMs: number;
  readonly rssBytes?: number;
  /** RssAnon on Linux; on Windows the private working set, or what was committed where only that is told. */
  readonly privateBytes?: number;
  /** RssFile + RssShmem on Linux; the rest of the working set on Windows. */
  readonly sharedBytes?: number;
  readonly openFiles?: number;
  /** Bytes that the process caused to be written, to files and pipes alike. */
  readonly writtenBytes?: number;
}

/** What people want to know of a process beside its figures. What the system does not tell is absent. */
export interface ProcessDetails {
  /** Its program and arguments, joined by spaces, as the process shows them now. May hold secrets. */
  readonly commandLine?: string;
  /** When it started, in epoch milliseconds. */
  readonly startedAtMs?: number;
}

/** The operating system's list of processes, read once per tick for all servers. */
export interface ProcessTable {
  /** Whoever looks again and again leaves at least this between two looks, because each is dear. Default: 0. */
  readonly leastIntervalMs?: number;
  /**
   * Reads the trees (root and all its descendants) below each of `rootPids` in one pass, root first.
   * A root that has ended is absent from the result. Processes that end during the pass are left out.
   * Never throws for a single unreadable process.
   */
  readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>>;
  /** The process that has this pid now; undefined when there is none (a zombie does not count). */
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  /** `identify` without waiting, for the moment right after a spawn and right before a signal. Undefined where only a slow look exists. */
  identifySync?(pid: number): ProcessIdentity | undefined;
  /** All descendants of `pid` as they are now, parents before children, without `pid`. */
  listDescendants(pid: number): Promise<readonly ProcessIdentity[]>;
  /**
   * Every process whose environment at its start held `name=value`, or that has the limit which stands for `value`
   * (`limitMark`; Linux). Empty where the system does not tell.
   */
  findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]>;
  /** Details by pid of those among `processes` that still live. Absent where the system tells none cheaply. */
  describe?(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>>;
  /** Releases what the reader keeps open. */
  dispose(): void;
}
