import type { ServerView } from '../../shared/domain.ts';

export interface Totals {
  /** Absent while no server has a figure: nothing measured is not nothing used. */
  readonly memoryBytes: number | undefined;
  readonly cpuPercent: number | undefined;
}

/** What all servers cost together right now. */
export function addUp(servers: readonly Pick<ServerView, 'sample'>[]): Totals {
  const sum = (figures: readonly (number | undefined)[]) =>
    figures.reduce((total, figure) => (figure === undefined ? total : (total ?? 0) + figure), undefined);
  return {
    memoryBytes: sum(servers.map(({ sample }) => sample?.memoryBytes)),
    cpuPercent: sum(servers.map(({ sample }) => sample?.cpuPercent)),
  };
}
