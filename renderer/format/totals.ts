import type { Sample, ServerView } from '../../shared/domain.ts';

export interface Totals {
  /** Absent while no server has a figure: nothing measured is not nothing used. */
  readonly memoryBytes: number | undefined;
  readonly cpuPercent: number | undefined;
  /** Memory that servers share was told apart and counts once; else it counts as often as there are servers. */
  readonly countsSharedOnce: boolean;
}

/**
 * What all servers cost together right now. Nearly all that servers share, they share with each other (the pages of one
 * Node or Python), so the most that one of them shares stands for all.
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
