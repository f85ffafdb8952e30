import { BYTES_PER_MIB } from '../../shared/units.ts';
import type { ServerView } from '../../shared/domain.ts';
import { figureMeanings, formatCount, formatCpu, formatMemory, formatRoundTrip } from '../format/figures.ts';
import type { PickFigure } from './downsample.ts';
import { decimalAxis, formatTick, memoryAxis, type ValueAxis } from './value-axis.ts';

type FigureId = 'memory' | 'cpu' | 'files' | 'processes' | 'latency';

/** A limit in the unit of its figure, and its words. */
export interface ChartLimit {
  readonly value: number;
  readonly words: string;
}

/** What is drawn of a sample, and how. */
export interface ChartFigure {
  readonly id: FigureId;
  readonly title: string;
  /** What it counts, where the title leaves that open. */
  readonly meaning?: string;
  readonly pick: PickFigure;
  readonly format: (value: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
  /** The figure's limit in its own unit, where there is one, and what it is called. */
  readonly limit?: (limits: ServerView['limits']) => ChartLimit;
  /** Counts are drawn in steps: there is no two and a half processes. */
  readonly shape: 'area' | 'line' | 'steps';
  readonly heightPx: number;
  /** Measured now and then, not at every look: the curve goes on between two answers. */
  readonly isSparse?: boolean;
}

const TALL_PX = 100;
const SHORT_PX = 64;

/** Heights are for a window of 800; lower ones squeeze the charts a little, high ones give them most of what they add. */
export function heightIn(figure: ChartFigure, windowHeightPx: number): number {
  const scale = Math.min(2, Math.max(0.9, 1 + (windowHeightPx - 800) / 400));
  return Math.round(figure.heightPx * scale);
}

/** The figures of a process tree, top to bottom. */
export const chartFigures: readonly ChartFigure[] = [
  {
    id: 'memory',
    title: 'Memory',
    meaning: figureMeanings.memory,
    pick: (sample) => sample.memoryBytes,
    format: formatMemory,
    axisFor: (peak) => memoryAxis(peak),
    limit: ({ maxMemoryMiB }) => limitOf(maxMemoryMiB * BYTES_PER_MIB, formatMemory),
    shape: 'area',
    heightPx: TALL_PX,
  },
  {
    id: 'cpu',
    title: 'CPU',
    meaning: figureMeanings.cpu,
    pick: (sample) => sample.cpuPercent,
    format: formatCpu,
    axisFor: (peak) => decimalAxis(peak, 10),
    limit: ({ maxCpuPercent }) => limitOf(maxCpuPercent, formatCpu),
    shape: 'line',
    heightPx: TALL_PX,
  },
  {
    id: 'files',
    title: 'Open files',
    pick: (sample) => sample.openFiles,
    format: formatCount,
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    // The curve is of the whole tree, the limit of any one process in it.
    limit: ({ maxOpenFiles }) => limitOf(maxOpenFiles, (value) => `${formatCount(value)} per process`),
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

/** Of a remote server, whose processes run elsewhere. */
const remoteFigures: readonly ChartFigure[] = [
  {
    id: 'latency',
    title: 'Round trip',
    pick: (sample) => sample.rttMs,
    format: formatRoundTrip,
    axisFor: (peak) => decimalAxis(peak, 10),
    shape: 'line',
    heightPx: TALL_PX,
    isSparse: true,
  },
];

/** The figures of a server's page, top to bottom. */
export function figuresOf(transport: ServerView['transport']): readonly ChartFigure[] {
  return transport === 'stdio' ? chartFigures : remoteFigures;
}

/** An axis that reaches the peak, and the limit too once the curve is within half of it. */
export function axisWithin(
  figure: ChartFigure,
  peak: number | undefined,
  limit: ChartLimit | undefined,
): ValueAxis {
  const isNear = limit !== undefined && peak !== undefined && peak >= limit.value / 2;
  return figure.axisFor(isNear ? Math.max(peak, limit.value) : peak);
}

function limitOf(value: number, format: (value: number) => string): ChartLimit {
  return { value, words: `limit ${formatTick(value, format)}` };
}
