/** Resource usage of a container at one moment. A value that could not be read is undefined. */
export interface ContainerReading {
  /** Time of the reading in milliseconds, from any starting point. Only differences between one container's readings matter. */
  readonly atMs: number;
  /** Memory use without the part of the file cache that the kernel reclaims first. Container engines display the same number. */
  readonly memoryBytes?: number;
  readonly cpuTimeMs?: number;
  /**
   * CPU use, if the source does not report CPU time. It is only displayed; it arrives too late to decide whether the container
   * is working.
   */
  readonly cpuPercent?: number;
  readonly processCount: number;
  readonly isPaused: boolean;
  /** True if a process runs or waits for the CPU. A container that gets very little CPU may seem idle by its CPU time. */
  readonly isAtWork?: boolean;
  /** True if the kernel has killed a process of the container because memory ran out. */
  readonly isOutOfMemory?: boolean;
}

export interface ContainerFigures {
  /** Returns the latest reading; undefined while there is none. Never blocks. */
  read(): ContainerReading | undefined;
  dispose(): void;
}
