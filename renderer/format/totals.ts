import type { Machine, Sample, ServerView } from '../../shared/domain.ts';
import { formatCpu, formatMemory, trimZeros } from './figures.ts';

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

/** Part of the machine that is in use: a figure, the whole, and the share for a bar. */
export interface Use {
  readonly figure: string;
  /** The whole in words, as "of 24 GiB"; empty while either is unknown. */
  readonly whole: string;
  /** 0 to 1. */
  readonly share: number;
}

/** Use of the machine's memory: `1.2 GiB` of `24 GiB`. */
export const memoryUse = ({ memoryBytes }: Totals, machine: Machine | undefined): Use =>
  shareOf(memoryBytes, machine?.memoryBytes, (bytes) => trimZeros(formatMemory(bytes)));

/** Use of all cores: `98 %` of `200 %`. */
export const cpuUse = ({ cpuPercent }: Totals, machine: Machine | undefined): Use =>
  shareOf(cpuPercent, machine && machine.coreCount * 100, formatCpu);

function shareOf(
  figure: number | undefined,
  whole: number | undefined,
  format: (figure: number | undefined) => string,
): Use {
  const isKnown = figure !== undefined && whole !== undefined && whole > 0;
  return {
    figure: format(figure),
    whole: isKnown ? `of ${format(whole)}` : '',
    share: isKnown ? Math.min(1, figure / whole) : 0,
  };
}

const ownMemoryBytes = ({ memoryBytes, sharedMemoryBytes = 0 }: Sample): number | undefined =>
  memoryBytes === undefined ? undefined : memoryBytes - sharedMemoryBytes;

const sum = (figures: readonly (number | undefined)[]): number | undefined =>
  figures.reduce((total, figure) => (figure === undefined ? total : (total ?? 0) + figure), undefined);
