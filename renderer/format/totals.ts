import type { Sample, ServerView } from '../../shared/domain.ts';

export interface Totals {
  /** Memory of all; absent while no server has a figure, because unmeasured is not unused. */
  readonly memoryBytes: number | undefined;
  readonly cpuPercent: number | undefined;
  /** Whether memory that servers share was told apart and counts once; else it counts once per server. */
  readonly countsSharedOnce: boolean;
}

/**
 * Total that all servers cost now. Nearly all memory that servers share, they share with each other (the
 * pages of one Node or Python), so the largest shared part stands for all.
 */
export function addUp(servers: readonly Pick<ServerView, 'sample'>[]): Totals {
  const samples = servers.flatMap(({ sample }) => (sample === undefined ? [] : [sample]));
  const shared = samples.flatMap(({ memoryBytes, sharedMemoryBytes }) =>
    memoryBytes === undefined || sharedMemoryBytes === undefined ? [] : [sharedMemoryBytes],
  );
  const own = sum(samples.map(ownMemoryBytes));
  return {
    memoryBytes: own === undefined ? undefined : own + Math.max(0, ...shared),
    cpuPercent: sum(samples.map(({ cpuPercent }) => cpuPercent)),
    countsSharedOnce: shared.length > 0,
  };
}

const ownMemoryBytes = ({ memoryBytes, sharedMemoryBytes = 0 }: Sample): number | undefined =>
  memoryBytes === undefined ? undefined : memoryBytes - sharedMemoryBytes;

const sum = (figures: readonly (number | undefined)[]): number | undefined =>
  figures.reduce((total, figure) => (figure === undefined ? total : (total ?? 0) + figure), undefined);
