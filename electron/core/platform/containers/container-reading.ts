/** Figures of a container at one moment. Figures that could not be read are undefined. */
export interface ContainerReading {
  /** Milliseconds of any clock; only differences between readings of one container matter. */
  readonly atMs: number;
  /** Memory without the part of the file cache that the kernel reclaims first, as engines display it. */
  readonly memoryBytes?: number;
  readonly cpuTimeMs?: number;
  /** CPU use, if the source reports no CPU time. For display only; it arrives too late to serve as evidence. */
  readonly cpuPercent?: number;
  readonly processCount: number;
  readonly isPaused: boolean;
  /** True if a process of it runs or waits for the CPU. Needed because it may get too little CPU for its CPU time to show. */
  readonly isAtWork?: boolean;
  /** True if the kernel has ended a process of it because memory ran out. */
  readonly isOutOfMemory?: boolean;
}

export interface ContainerFigures {
  /** Returns the latest reading; undefined while there is none. Never blocks. */
  read(): ContainerReading | undefined;
  dispose(): void;
}
