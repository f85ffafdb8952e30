/** Identity of a process, which distinguishes it from a later process with the same pid. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as opaque text; equal only for the same process (Linux: field 22 of /proc/PID/stat). */
  readonly startTime: string;
  /** The process group (POSIX); absent if the sample does not include it. */
  readonly groupId?: number;
}

/** Sample of one process. A figure is absent if the system does not provide it, or does not provide it to this user. */
export interface ProcessReading extends ProcessIdentity {
  readonly ppid: number;
  readonly command: string;
  /** True if the process is stopped by a signal (state T). */
  readonly isStopped: boolean;
  /** True if the process runs, or waits for a processor or a disk. Absent otherwise, or if the system does not report it. */
  readonly isAtWork?: boolean;
  /**
   * True if the process has the stdin or stdout of its tree's root open. Only determined if a process of the tree is stopped or
   * held by a debugger; otherwise absent.
   */
  readonly holdsPipes?: boolean;
  /** True if a debugger has stopped the process (state t, tracing stop); false while a process that is being debugged runs. */
  readonly isHeld: boolean;
  /**
   * Number of times that the process's first thread left the processor. Set only on Linux, and only for a stopped process: if
   * the number grows, the process has run.
   */
  readonly contextSwitches?: number;
  readonly cpuTimeMs: number;
  /** CPU time (user and system) of the children that have ended and whose exit the process has collected (`wait`). */
  readonly reapedCpuTimeMs: number;
  readonly rssBytes?: number;
  /**
   * Memory that only this process uses. Linux: RssAnon. Windows: the private working set, or the committed bytes if only those
   * are reported.
   */
  readonly privateBytes?: number;
  /** Memory that the process may share with others. Linux: RssFile + RssShmem. Windows: the rest of the working set. */
  readonly sharedBytes?: number;
  readonly openFiles?: number;
  /** Bytes that the process has written, to files and pipes alike. */
  readonly writtenBytes?: number;
}

/** Details of a process for display, in addition to its figures; absent if the system does not report them. */
export interface ProcessDetails {
  /** Program and arguments, joined by spaces, as the process currently presents them. May contain secrets. */
  readonly commandLine?: string;
  /** Start time of the process in epoch milliseconds. */
  readonly startedAtMs?: number;
}

/** The operating system's list of processes, read once per sample for all servers. */
export interface ProcessTable {
  /** Minimum milliseconds between two periodic samples, because each sample is expensive. Default: 0. */
  readonly leastIntervalMs?: number;
  /**
   * Reads the process trees (root and all its descendants) below each of `rootPids` in one pass, root first. A root that has
   * ended is absent from the result. Processes that end during the pass are left out. Never throws for a single unreadable
   * process.
   */
  readTrees(rootPids: readonly number[]): Promise<ReadonlyMap<number, readonly ProcessReading[]>>;
  /**
   * Reads all processes of this user in one pass. The parent pid is 0 if the parent has ended. Absent in process tables whose
   * callers need only the processes of the servers.
   */
  readAll?(): Promise<readonly ProcessReading[]>;
  /** Returns the process that has this pid now; undefined when there is none (a zombie does not count). */
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  /**
   * Does the same as `identify` synchronously, so that a signal can be sent before the pid is reused. Absent if the system
   * offers only a slow scan.
   */
  identifySync?(pid: number): ProcessIdentity | undefined;
  /** Returns the current descendants of `pid`, parents before children, without `pid`. */
  listDescendants(pid: number): Promise<readonly ProcessIdentity[]>;
  /**
   * Returns the processes that were started with `name=value` in their environment, or that have the `limitMark` of the value.
   * Empty if the system reports neither.
   */
  findByEnvironment(name: string, value: string): Promise<readonly ProcessIdentity[]>;
  /** Returns details by pid of those `processes` that are still alive. Absent if no cheap source exists. */
  describe?(processes: readonly ProcessIdentity[]): Promise<ReadonlyMap<number, ProcessDetails>>;
  dispose(): void;
}
