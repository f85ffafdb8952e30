import type { Sample, ServerView } from './domain.ts';

/** Current resource use of all servers together. */
export interface ServerTotals {
  /** Sum of the servers' memory in bytes; undefined while no server has a figure, as unmeasured memory is not unused memory. */
  readonly memoryBytes: number | undefined;
  /** Approximate memory of all servers in bytes, shared memory counted once; undefined if the system does not separate it. */
  readonly inRamBytes: number | undefined;
  readonly cpuPercent: number | undefined;
}

/**
 * Adds up the figures of all servers. Servers share nearly all of their shared memory with each other (the pages of one Node or
 * Python), so in `inRamBytes` the largest shared part is counted for all servers.
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

/** Returns the text that explains the memory of all servers. @param figure formatted memory */
export const inRamWords = (figure: string): string => `${inRamBriefly(figure)}, shared pages once`;
/** Returns a shorter text for small spaces. @param figure formatted memory */
export const inRamBriefly = (figure: string): string => `≈ ${figure} in RAM`;

const ownMemoryBytes = ({ memoryBytes, sharedMemoryBytes = 0 }: Sample): number | undefined =>
  memoryBytes === undefined ? undefined : memoryBytes - sharedMemoryBytes;

const sum = (figures: readonly (number | undefined)[]): number | undefined =>
  figures.reduce((total, figure) => (figure === undefined ? total : (total ?? 0) + figure), undefined);
