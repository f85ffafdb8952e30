/** Figures that add up over servers. */
export const usageMetrics = ['memoryBytes', 'cpuPercent'] as const;
export type UsageMetric = (typeof usageMetrics)[number];

export const averageMeaning =
  'Over the time in which the panel ran; a server that was down used nothing. Those of the servers add up to that of all';
export const runningMeaning = 'Over the time in which the server ran';
export const peakMeaning =
  'Highest sample; of all servers the highest one with what the others used on average at that time';

/** Share in whole percent; what is there at all is never told as nothing. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
