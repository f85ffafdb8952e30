import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { LimitsInForce } from '../../shared/history.ts';
import { breachIn, limitSettingOf } from '../format/limit-sentences.ts';
import { isOpenFilesLimit } from '../format/open-files.ts';
import type { TimeWindow } from './downsample.ts';
import type { ChartFigure, FigureLimit } from './figures.ts';
import { formatTick, type ValueAxis } from './axis.ts';

type LimitSetting = FigureLimit['setting'];

const settings: readonly LimitSetting[] = ['maxMemoryMiB', 'maxCpuPercent', 'maxOpenFiles'];

/** Limit that was in force from one instant until another. */
interface LimitSpan {
  /** Start of the span; infinite, like `to`, where the edge is unknown. */
  readonly from: number;
  readonly to: number;
  /** Limit in the unit of the figure. */
  readonly value: number;
}

/**
 * Limits by the time they were in force, oldest first: the present one since its last change, and before that
 * what the history kept, or else each from one change to the next where an event told the limit. Other times are unknown.
 * @param events of one server and of all, oldest first.
 * @param now the limit that is in force, in the unit of the figure.
 * @param kept by the history, oldest first; it may not have the last change yet
 */
export function limitSpansOf(
  events: readonly PanelEvent[],
  server: string,
  setting: LimitSetting,
  now: number,
  kept: readonly LimitSpan[] = [],
): readonly LimitSpan[] {
  const changes = events.filter((event) => mayChange(event, server, setting)).map(({ at }) => at);
  const since = changes.at(-1);
  if (since !== undefined && kept.length > 0)
    return joinedSpans([...before(since, kept), { from: since, to: Infinity, value: now }]);
  const starts = [-Infinity, ...changes];
  const told = starts.flatMap((from, index) => {
    const to = starts[index + 1];
    const value = to === undefined ? now : toldWithin(events, setting, from, to);
    return value === undefined ? [] : [{ from, to: to ?? Infinity, value }];
  });
  return joinedSpans(told);
}

/** A limit that a possible change left as it was makes one span, not two. */
export function joinedSpans(spans: readonly LimitSpan[]): readonly LimitSpan[] {
  const long: LimitSpan[] = [];
  for (const span of spans) {
    const last = long.at(-1);
    const isSame = last?.to === span.from && last.value === span.value;
    if (isSame) long[long.length - 1] = { ...last, to: span.to };
    else long.push(span);
  }
  return long;
}

function before(at: number, kept: readonly LimitSpan[]): readonly LimitSpan[] {
  return kept.filter(({ from }) => from < at).map((span) => ({ ...span, to: Math.min(span.to, at) }));
}

/** When any limit of a server may have changed last; undefined where no event says so. */
export const limitsChangedAt = (events: readonly PanelEvent[], server: string): number | undefined =>
  events.findLast((event) => settings.some((setting) => mayChange(event, server, setting)))?.at;

/**
 * Whether an event may have changed the limit. An absence of the panel may, because nobody saw what changed.
 */
function mayChange({ kind, detail, server: of }: PanelEvent, server: string, setting: LimitSetting): boolean {
  if (kind === 'panel-started') return true;
  if (kind !== 'config-changed') return false;
  const { change, servers = [], fields = [] } = detail;
  if (of === null && !servers.includes(server)) return false;
  if (change === 'added') return true;
  const path = `panel.limits.${setting}`;
  return fields.some((field) => field === path || path.startsWith(`${field}.`));
}

function toldWithin(
  events: readonly PanelEvent[],
  setting: LimitSetting,
  from: number,
  to: number,
): number | undefined {
  const teller = events.findLast(
    (event) => event.at >= from && event.at < to && limitSettingOf(event) === setting,
  );
  return teller && breachIn(teller)?.max;
}

/**
 * Limits by the time they were in force, as the history kept them; equal neighbours are one span.
 * @param kept of one server, oldest first
 */
export function pastLimitSpans(
  kept: readonly LimitsInForce[],
  setting: LimitSetting,
  unit: number,
): readonly LimitSpan[] {
  return joinedSpans(
    kept.map((limits, index) => ({
      from: limits.from,
      to: kept[index + 1]?.from ?? Infinity,
      value: limits[setting] * unit,
    })),
  );
}

/** Limit in the unit of its figure, when it was in force, and its words. */
export interface ChartLimit extends LimitSpan {
  readonly words: string;
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

/** Limit as it is drawn within a window. */
export interface LimitPlace {
  /** Part of the window in which it was in force: 0 is its beginning, 1 its end. */
  readonly from: number;
  readonly to: number;
  /** Figure at which it is drawn: of one beyond the axis the words stand at the upper edge. */
  readonly y: number;
  /** Whether the axis reaches it; beyond, its words stand above the plot and no line. */
  readonly isWithin: boolean;
  /** Whether the words stand below the line, because above it they would leave the plot. */
  readonly isBelow: boolean;
  /** Whether the words stand at the right end, which is where there is room when it began late. */
  readonly isLate: boolean;
  readonly words: string;
}

/** Places of the limits of a strip. Of those beyond the axis only the one in force now is told. */
export function limitPlaces(
  limits: readonly ChartLimit[],
  axis: Pick<ValueAxis, 'top'>,
  window: TimeWindow,
): readonly LimitPlace[] {
  const newest = limits.at(-1);
  const shareOf = (at: number) => (at - window.from) / (window.to - window.from);
  return limits
    .filter((limit) => limit.value <= axis.top || limit === newest)
    .map((limit) => {
      const isWithin = limit.value <= axis.top;
      return {
        from: Math.max(0, shareOf(limit.from)),
        to: Math.min(1, shareOf(limit.to)),
        y: Math.min(limit.value, axis.top),
        isWithin,
        isBelow: isWithin && limit.value > axis.top * 0.85,
        isLate: limit.from > (window.from + window.to) / 2,
        words: isWithin ? limit.words : `↑ ${limit.words}`,
      };
    });
}
