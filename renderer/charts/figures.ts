import type { ServerView } from '../../shared/domain.ts';
import type { HistoryMetric } from '../../shared/history.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { callMeanings, formatCallDuration, formatCallRate } from '../format/call-figures.ts';
import {
  figureMeanings,
  formatCount,
  formatCpu,
  formatMemory,
  formatRoundTrip,
  trimZeros,
} from '../format/figures.ts';
import { openFilesWords } from '../format/open-files.ts';
import type { CurveShape } from './curve-path.ts';
import { decimalAxis, memoryAxis, type ValueAxis } from './axis.ts';

/** Setting that limits a figure, and how the limit is told. */
export interface FigureLimit {
  readonly setting: keyof ServerView['limits'];
  /** Number of the figure's units in one unit of the setting. */
  readonly unit: number;
  readonly format: (value: number) => string;
  /** What comes of it, where it is no limit that is enforced. */
  readonly verb?: string;
}

/** How a figure is drawn and told. */
export interface FigureLook {
  /** Name of its colour among those of the window. */
  readonly id: 'memory' | 'cpu' | 'files' | 'processes' | 'latency' | 'calls' | 'duration';
  readonly title: string;
  /** Meaning of the figure, where the title leaves that open. */
  readonly meaning?: string;
  /** Unit as it stands in a file: as it was measured, not as it is best read. */
  readonly unit: string;
  readonly format: (value: number | undefined) => string;
  /** The same without digits that stand for nothing, where it is not compared with its own past. */
  readonly short: (value: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
  readonly shape: CurveShape;
  readonly heightPx: number;
  /** Least top of a scale without an axis, so that noise is not drawn as a mountain. */
  readonly leastTop: number;
}

/** What is kept of a server over time. */
export interface ChartFigure extends FigureLook {
  readonly metric: HistoryMetric;
  /** Head of its column in a file of several servers. */
  readonly column: string;
  readonly limit?: FigureLimit;
  /** Measured now and then, not at every look: the curve goes on between two answers. */
  readonly isSparse?: boolean;
}

const TALL_PX = 100;
const SHORT_PX = 64;

const counted = { unit: 'count', format: formatCount, short: formatCount, leastTop: 1 } as const;

/** All figures of samples. What is told, drawn, limited and saved of one of them is told here. */
export const figures: Readonly<Record<HistoryMetric, ChartFigure>> = {
  memoryBytes: {
    id: 'memory',
    metric: 'memoryBytes',
    title: 'Memory',
    meaning: figureMeanings.memory,
    unit: 'bytes',
    column: 'memory (bytes)',
    format: formatMemory,
    short: (bytes) => trimZeros(formatMemory(bytes)),
    axisFor: (peak) => memoryAxis(peak),
    limit: { setting: 'maxMemoryMiB', unit: BYTES_PER_MIB, format: formatMemory },
    shape: 'area',
    heightPx: TALL_PX,
    leastTop: 1,
  },
  cpuPercent: {
    id: 'cpu',
    metric: 'cpuPercent',
    title: 'CPU',
    meaning: figureMeanings.cpu,
    unit: '% of one core',
    column: 'CPU (% of one core)',
    format: formatCpu,
    short: formatCpu,
    axisFor: (peak) => decimalAxis(peak, 10),
    limit: { setting: 'maxCpuPercent', unit: 1, format: formatCpu, verb: 'warns above' },
    shape: 'line',
    heightPx: TALL_PX,
    // A tenth of a core: what stays below is noise and is drawn flat.
    leastTop: 10,
  },
  openFiles: {
    ...counted,
    id: 'files',
    metric: 'openFiles',
    title: openFilesWords.title,
    column: 'open files',
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    // The limit is that of any one process, while the curve is of the whole tree.
    limit: { setting: 'maxOpenFiles', unit: 1, format: (value) => `${formatCount(value)} per process` },
    shape: 'steps',
    heightPx: SHORT_PX,
  },
  processCount: {
    ...counted,
    id: 'processes',
    metric: 'processCount',
    title: 'Processes',
    column: 'processes',
    axisFor: (peak) => decimalAxis(peak, 2, 3),
    shape: 'steps',
    heightPx: SHORT_PX,
  },
  rttMs: {
    id: 'latency',
    metric: 'rttMs',
    title: 'Round trip',
    unit: 'ms',
    column: 'round trip (ms)',
    format: formatRoundTrip,
    short: formatRoundTrip,
    axisFor: (peak) => decimalAxis(peak, 10),
    shape: 'line',
    heightPx: TALL_PX,
    isSparse: true,
    leastTop: 10,
  },
};

/** Figures of a process tree, top to bottom. */
export const chartFigures: readonly ChartFigure[] = [
  figures.memoryBytes,
  figures.cpuPercent,
  figures.openFiles,
  figures.processCount,
];

/** Figures of a remote server, whose processes run elsewhere. */
const remoteFigures: readonly ChartFigure[] = [figures.rttMs];

/** Figures of a server's page, top to bottom. */
export function figuresOf(transport: ServerView['transport']): readonly ChartFigure[] {
  return transport === 'stdio' ? chartFigures : remoteFigures;
}

export const callsFigure: FigureLook = {
  id: 'calls',
  title: 'Calls',
  meaning: callMeanings.calls,
  unit: 'per minute',
  format: formatCallRate,
  short: formatCallRate,
  axisFor: (peak) => decimalAxis(peak, 5, 3),
  shape: 'blocks',
  // Its errors are a line more.
  heightPx: SHORT_PX + 16,
  leastTop: 4,
};

export const durationFigure: FigureLook = {
  id: 'duration',
  title: 'Call duration',
  meaning: callMeanings.duration,
  unit: 'ms',
  format: formatCallDuration,
  short: formatCallDuration,
  axisFor: (peak) => decimalAxis(peak, 10, 3),
  shape: 'line',
  heightPx: SHORT_PX,
  leastTop: 10,
};

/** Heights are for a window of 800; lower ones squeeze the charts a little, high ones give them most of what they add. */
export function heightIn(figure: FigureLook, windowHeightPx: number): number {
  const scale = Math.min(2, Math.max(0.9, 1 + (windowHeightPx - 800) / 400));
  return Math.round(figure.heightPx * scale);
}
