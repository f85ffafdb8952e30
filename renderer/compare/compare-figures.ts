import type { HistoryMetric } from '../../shared/history.ts';
import { decimalAxis, memoryAxis, type ValueAxis } from '../charts/value-axis.ts';
import { formatCount, formatCpu, formatMemory, formatRoundTrip, trimZeros } from '../format/figures.ts';
import { openFilesWords } from '../format/open-files.ts';

/** Figure that servers are compared by. */
export interface CompareFigure {
  readonly metric: HistoryMetric;
  readonly title: string;
  readonly format: (figure: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
  /** Counts are drawn in steps. */
  readonly shape: 'line' | 'steps';
  /** Measured now and then, so that a silence is no gap. */
  readonly isSparse: boolean;
  /** Whether it has a chart even where no server has any of it. */
  readonly isAlwaysShown: boolean;
}

/** Figures from top to bottom. */
export const compareFigures: readonly CompareFigure[] = [
  {
    metric: 'memoryBytes',
    title: 'Memory',
    format: (figure) => trimZeros(formatMemory(figure)),
    axisFor: (peak) => memoryAxis(peak),
    shape: 'line',
    isSparse: false,
    isAlwaysShown: true,
  },
  {
    metric: 'cpuPercent',
    title: 'CPU',
    format: formatCpu,
    axisFor: (peak) => decimalAxis(peak, 10),
    shape: 'line',
    isSparse: false,
    isAlwaysShown: true,
  },
  {
    metric: 'openFiles',
    title: openFilesWords.title,
    format: formatCount,
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    shape: 'steps',
    isSparse: false,
    isAlwaysShown: false,
  },
  {
    metric: 'rttMs',
    title: 'Round trip',
    format: formatRoundTrip,
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    shape: 'line',
    isSparse: true,
    isAlwaysShown: false,
  },
];

export const comparedMetrics: readonly HistoryMetric[] = compareFigures.map(({ metric }) => metric);
