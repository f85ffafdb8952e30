/** Figures of a container at one moment. Figures that could not be read are undefined. */
export interface ContainerReading {
  /** Milliseconds of any clock; only differences between readings of one container count. */
  readonly atMs: number;
  /** Memory without the part of the file cache that the kernel takes back first, as engines show it. */
  readonly memoryBytes?: number;
  readonly cpuTimeMs?: number;
  /** CPU use where the place tells no time: for people, and no evidence, because it comes late. */
  readonly cpuPercent?: number;
  readonly processCount: number;
  readonly isPaused: boolean;
  /** Whether a process of it runs or waits for its turn, because it may get too little CPU for its time to show. */
  readonly isAtWork?: boolean;
  /** Whether the kernel has ended a process of it because it had no memory left. */
  readonly isOutOfMemory?: boolean;
}

export interface ContainerFigures {
  /** Returns the current reading; undefined while there is none. Never blocks. */
  read(): ContainerReading | undefined;
  dispose(): void;
}
