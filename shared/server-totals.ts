import type { Sample, ServerView } from './domain.ts';

/** Current use of all servers. */
export interface ServerTotals {
  /** Sum of the servers' own figures in bytes; undefined while no server has one, because unmeasured is not unused. */
  readonly memoryBytes: number | undefined;
  /**
   * Approximate memory of all servers together in bytes, with shared memory counted once. Undefined where the system does not
   * report it separately.
   */
  readonly inRamBytes: number | undefined;
  readonly cpuPercent: number | undefined;
}

/**
 * Adds up the figures of all servers. Nearly all shared memory of servers is shared with each other (the pages of one Node or
 * Python), so the largest shared part represents all in `inRamBytes`.
 */
export function addUp(servers: readonly Pick<ServerView, 'sample'>[]): ServerTotals {
  const samples = servers.flatMap(({ sample }) => (sample === undefined ? [] : [sample]));
  const shared = samples.flatMap(({ memoryBytes, sharedMemoryBytes }) =>
    memoryBytes === undefined || sharedMemoryBytes === undefined ? [] : [sharedMemoryBytes],
  );
  const own = sum(samples.map(ownMemoryBytes));
  return {
    memoryBytes: sum(samples.map(({ memoryBytes }) => memoryBytes)),
    inRamBytes: own === undefined || shared.length === 0 ? undefined : own + Math.max(...shared),
    cpuPercent: sum(samples.map(({ cpuPercent }) => cpuPercent)),
  };
}

/** Returns the text that explains the sum. @param figure formatted memory */
export const inRamWords = (figure: string): string => `${inRamBriefly(figure)}, shared pages once`;
/** Returns a shorter text for narrow places. @param figure formatted memory */
export const inRamBriefly = (figure: string): string => `≈ ${figure} in RAM`;

const ownMemoryBytes = ({ memoryBytes, sharedMemoryBytes = 0 }: Sample): number | undefined =>
  memoryBytes === undefined ? undefined : memoryBytes - sharedMemoryBytes;

const sum = (figures: readonly (number | undefined)[]): number | undefined =>
  figures.reduce((total, figure) => (figure === undefined ? total : (total ?? 0) + figure), undefined);
