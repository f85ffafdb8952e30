import { decimalAxis, memoryAxis, type ValueAxis } from '../charts/value-axis.ts';
import { figureMeanings, formatCpu, formatMemory, trimZeros } from '../format/figures.ts';

/** Figures that add up over servers. */
export const usageMetrics = ['memoryBytes', 'cpuPercent'] as const;
export type UsageMetric = (typeof usageMetrics)[number];

interface MetricLook {
  readonly title: string;
  readonly meaning: string;
  readonly format: (figure: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
}

export const metricLooks: Readonly<Record<UsageMetric, MetricLook>> = {
  memoryBytes: {
    title: 'Memory',
    meaning: figureMeanings.memory,
    format: (figure) => trimZeros(formatMemory(figure)),
    axisFor: (peak) => memoryAxis(peak),
  },
  cpuPercent: {
    title: 'CPU',
    meaning: figureMeanings.cpu,
    format: formatCpu,
    axisFor: (peak) => decimalAxis(peak, 10),
  },
};

export const averageMeaning =
  'Over the time in which the panel ran; a server that was down used nothing. Those of the servers add up to that of all';
export const runningMeaning = 'Over the time in which the server ran';
export const peakMeaning =
  'Highest sample; of all servers the highest one with what the others used on average at that time';

/** Share in whole percent; what is there at all is never told as nothing. */
export const formatShare = (share: number): string =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
