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

/** Setting that limits a figure (a measured quantity such as memory), and how the limit is displayed. */
export interface FigureLimit {
  readonly setting: keyof ServerView['limits'];
  /** Factor that converts the setting to the figure's unit: bytes per MiB, for example. */
  readonly unit: number;
  readonly format: (value: number) => string;
  /** Word before the limit, for a setting that only warns. Default: "limit". */
  readonly verb?: string;
}

/** How a figure is displayed in a chart. A figure is a measured quantity of a server, such as its memory or its CPU usage. */
export interface FigureLook {
  readonly id: 'memory' | 'cpu' | 'files' | 'processes' | 'latency' | 'calls' | 'duration';
  readonly title: string;
  /** Explanation of the figure; undefined if its title is clear without one. */
  readonly meaning?: string;
  /** Unit of the figure in saved files, which contain the raw value. */
  readonly unit: string;
  readonly format: (value: number | undefined) => string;
  /** Formats a value without trailing zeros. Used where the value is not compared with its own earlier values. */
  readonly short: (value: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
  readonly shape: CurveShape;
  readonly heightPx: number;
  /** Lowest value that the top of the scale may have where no axis is drawn, so that small fluctuations look small. */
  readonly leastTop: number;
}

/** Figure that the history stores for each server. */
export interface ChartFigure extends FigureLook {
  readonly metric: HistoryMetric;
  /** Column heading in a file about several servers. */
  readonly column: string;
  readonly limit?: FigureLimit;
  /** True if only some samples contain the figure; if so, the curve connects the measurements instead of showing gaps. */
  readonly isSparse?: boolean;
}

const TALL_PX = 100;
const SHORT_PX = 64;
/** Minimum height in px of a chart whose readout (the values beside the curve) has room for a second line of text. */
export const ROOMY_PX = 80;

const counted = { unit: 'count', format: formatCount, short: formatCount, leastTop: 1 } as const;

/** All figures that the sampler measures. Their titles, formats, limits and file columns are defined only here. */
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
    // 10 % of one core, so that fluctuations below that look flat.
    leastTop: 10,
  },
  openFiles: {
    ...counted,
    id: 'files',
    metric: 'openFiles',
    title: openFilesWords.title,
    column: 'open files',
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    // The label says "per process", because the limit applies to each process while the curve shows the whole process tree.
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

/** Figures of a server that runs as a local process tree, from top to bottom. */
export const chartFigures: readonly ChartFigure[] = [
  figures.memoryBytes,
  figures.cpuPercent,
  figures.openFiles,
  figures.processCount,
];

/** Figures of a remote server, whose processes cannot be observed. */
const remoteFigures: readonly ChartFigure[] = [figures.rttMs];

/** Figures of a container, whose engine does not count open files. A cluster does not count processes either. */
const containerFigures = chartFigures.filter((figure) => figure !== figures.openFiles);

const podFigures = containerFigures.filter((figure) => figure !== figures.processCount);

/** Figures of a remote server in Kubernetes pods that the panel did not create: those of the pods and the round trip. */
const workloadFigures = [...podFigures, ...remoteFigures];

/** Figures on a server's page, from top to bottom. */
export function figuresOf(
  transport: ServerView['transport'],
  host?: ServerView['host'],
): readonly ChartFigure[] {
  if (transport !== 'stdio') return host?.kind === 'pod' ? workloadFigures : remoteFigures;
  if (host?.kind === 'pod') return podFigures;
  return host?.kind === 'container' ? containerFigures : chartFigures;
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
  // Taller than a short chart, because its readout has one more line, for errors.
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

/** Returns the height of a chart in px: its base height, for an app window 800 px high, scaled to the current window height. */
export function heightIn(figure: FigureLook, windowHeightPx: number): number {
  const scale = Math.min(2, Math.max(0.9, 1 + (windowHeightPx - 800) / 400));
  return Math.round(figure.heightPx * scale);
}
