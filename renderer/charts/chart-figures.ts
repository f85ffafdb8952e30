import { formatCount, formatCpu, formatMemory } from '../format/figures.ts';
import type { PickFigure } from './downsample.ts';
import { decimalAxis, memoryAxis, type ValueAxis } from './value-axis.ts';

export type FigureId = 'memory' | 'cpu' | 'files' | 'processes';

/** What is drawn of a sample, and how. */
export interface ChartFigure {
  readonly id: FigureId;
  readonly title: string;
  readonly pick: PickFigure;
  readonly format: (value: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
  /** Counts are drawn in steps: there is no two and a half processes. */
  readonly shape: 'area' | 'line' | 'steps';
  readonly heightPx: number;
}

const TALL_PX = 100;
const SHORT_PX = 64;

/** Heights are for a window of 800; lower ones squeeze the charts a little, high ones let them grow. */
export function heightIn(figure: ChartFigure, windowHeightPx: number): number {
  const scale = Math.min(1.6, Math.max(0.9, windowHeightPx / 800));
  return Math.round(figure.heightPx * scale);
}

/** The figures of a server's page, top to bottom. */
export const chartFigures: readonly ChartFigure[] = [
  {
    id: 'memory',
    title: 'Memory',
    pick: (sample) => sample.memoryBytes,
    format: formatMemory,
    axisFor: (peak) => memoryAxis(peak),
    shape: 'area',
    heightPx: TALL_PX,
  },
  {
    id: 'cpu',
    title: 'CPU',
    pick: (sample) => sample.cpuPercent,
    format: formatCpu,
    axisFor: (peak) => decimalAxis(peak, 10),
    shape: 'line',
    heightPx: TALL_PX,
  },
  {
    id: 'files',
    title: 'Open files',
    pick: (sample) => sample.openFiles,
    format: formatCount,
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    shape: 'steps',
    heightPx: SHORT_PX,
  },
  {
    id: 'processes',
    title: 'Processes',
    pick: (sample) => sample.processCount,
    format: formatCount,
    axisFor: (peak) => decimalAxis(peak, 2, 3),
    shape: 'steps',
    heightPx: SHORT_PX,
  },
];
