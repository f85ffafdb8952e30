import { isOpenFilesLimit, openFilesWords } from '../format/open-files.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { figureMeanings, formatCount, formatCpu, formatMemory, formatRoundTrip } from '../format/figures.ts';
import type { PickFigure, TimeWindow } from './downsample.ts';
import type { LimitsInForce } from '../../shared/history.ts';
import { pastLimitSpans } from './past-limits.ts';
import { limitSpansOf, type LimitSetting, type LimitSpan } from './limit-spans.ts';
import { decimalAxis, formatTick, memoryAxis, type ValueAxis } from './value-axis.ts';

type SampleFigureId = 'memory' | 'cpu' | 'files' | 'processes' | 'latency';
type FigureId = SampleFigureId | 'calls' | 'duration';

/** Limit in the unit of its figure, when it was in force, and its words. */
export interface ChartLimit extends LimitSpan {
  readonly words: string;
}

/** Setting that limits a figure, and how the limit is told. */
interface FigureLimit {
  readonly setting: LimitSetting;
  /** Number of the figure's units in one unit of the setting. */
  readonly unit: number;
  readonly format: (value: number) => string;
  /** What comes of it, where it is no limit that is enforced. */
  readonly verb?: string;
}

/** How a figure is drawn and told. */
export interface FigureLook {
  readonly id: FigureId;
  readonly title: string;
  /** Meaning of the figure, where the title leaves that open. */
  readonly meaning?: string;
  readonly format: (value: number | undefined) => string;
  readonly axisFor: (peak: number | undefined) => ValueAxis;
  /** Counts are drawn in steps: there is no two and a half processes. What is added up over a time is a block as wide as that. */
  readonly shape: 'area' | 'line' | 'steps' | 'blocks';
  readonly heightPx: number;
}

/** What is drawn of a sample. */
export interface ChartFigure extends FigureLook {
  readonly id: SampleFigureId;
  readonly pick: PickFigure;
  readonly limit?: FigureLimit;
  /** Measured now and then, not at every look: the curve goes on between two answers. */
  readonly isSparse?: boolean;
}

const TALL_PX = 100;
export const SHORT_PX = 64;

/** Heights are for a window of 800; lower ones squeeze the charts a little, high ones give them most of what they add. */
export function heightIn(figure: FigureLook, windowHeightPx: number): number {
  const scale = Math.min(2, Math.max(0.9, 1 + (windowHeightPx - 800) / 400));
  return Math.round(figure.heightPx * scale);
}

/** Figures of a process tree, top to bottom. */
export const chartFigures: readonly ChartFigure[] = [
  {
    id: 'memory',
    title: 'Memory',
    meaning: figureMeanings.memory,
    pick: (sample) => sample.memoryBytes,
    format: formatMemory,
    axisFor: (peak) => memoryAxis(peak),
    limit: { setting: 'maxMemoryMiB', unit: BYTES_PER_MIB, format: formatMemory },
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
    limit: { setting: 'maxCpuPercent', unit: 1, format: formatCpu, verb: 'warns above' },
    shape: 'line',
    heightPx: TALL_PX,
  },
  {
    id: 'files',
    title: openFilesWords.title,
    pick: (sample) => sample.openFiles,
    format: formatCount,
    axisFor: (peak) => decimalAxis(peak, 10, 3),
    // The limit is that of any one process, while the curve is of the whole tree.
    limit: { setting: 'maxOpenFiles', unit: 1, format: (value) => `${formatCount(value)} per process` },
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

/** Figures of a remote server, whose processes run elsewhere. */
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

/** Figures of a server's page, top to bottom. */
export function figuresOf(transport: ServerView['transport']): readonly ChartFigure[] {
  return transport === 'stdio' ? chartFigures : remoteFigures;
}

/**
 * Limits of a figure that were in force within the window, oldest first, as far as they are known.
 * @param kept by the history, of this server, oldest first
 */
export function limitsWithin(
  { limit }: ChartFigure,
  { name, limits }: Pick<ServerView, 'name' | 'limits'>,
  events: readonly PanelEvent[],
  window: TimeWindow,
  kept: readonly LimitsInForce[] = [],
): readonly ChartLimit[] {
  if (limit === undefined) return [];
  const { setting, unit } = limit;
  const spans = pastLimitSpans(kept, setting, unit);
  return shownLimits(limitSpansOf(events, name, setting, limits[setting] * unit, spans), limit, window);
}

/** Limits by their spans, as they are drawn within the window. */
export function shownLimits(
  spans: readonly LimitSpan[],
  { setting, format, verb = 'limit' }: FigureLimit,
  window: TimeWindow,
): readonly ChartLimit[] {
  return spans
    .filter(({ value }) => setting !== 'maxOpenFiles' || isOpenFilesLimit(value))
    .filter(({ from, to }) => from < window.to && to > window.from)
    .map((span) => ({ ...span, words: `${verb} ${formatTick(span.value, format)}` }));
}

/** Value axis that reaches the peak, and each limit of which the peak is at least half. */
export function axisWithin(
  figure: ChartFigure,
  peak: number | undefined,
  limits: readonly Pick<ChartLimit, 'value'>[],
): ValueAxis {
  if (peak === undefined) return figure.axisFor(peak);
  const near = limits.map(({ value }) => value).filter((value) => peak >= value / 2);
  return figure.axisFor(Math.max(peak, ...near));
}
