import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { LimitsInForce } from '../../shared/history.ts';
import { breachIn, limitSettingOf } from '../format/limit-sentences.ts';
import { isOpenFilesLimit } from '../format/open-files.ts';
import type { TimeWindow } from './downsample.ts';
import type { ChartFigure, FigureLimit } from './figures.ts';
import { formatTick, type ValueAxis } from './axis.ts';

type LimitSetting = FigureLimit['setting'];

/** Limit, with the time span in which it was in force. */
interface LimitSpan {
  /** Start of the time span; infinite, like `to`, if that end is unknown. */
  readonly from: number;
  readonly to: number;
  /** Limit in the unit of the figure. */
  readonly value: number;
}

/**
 * Returns the time spans of a limit, oldest first. The current limit applies since its last change. The spans before that come
 * from the history; without the history, a span is known between two changes if an event reported the limit. Other times are
 * unknown.
 * @param events events of this server and of no particular server, oldest first
 * @param now limit in force, in the figure's unit
 * @param kept spans from the history, oldest first, perhaps without the last change
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

/** Joins neighbouring spans with the same limit, because not every event that may change the limit changes it. */
function joinedSpans(spans: readonly LimitSpan[]): readonly LimitSpan[] {
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

/**
 * True if an event may have changed the limit. A start of the panel may have, because changes made before it were not observed.
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
 * Returns the spans of a limit that the history contains; neighbours with the same limit are combined.
 * @param kept limits of one server, oldest first
 */
function pastLimitSpans(
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

/** Limit in its figure's unit, with the span in which it was in force and its label. */
export interface ChartLimit extends LimitSpan {
  readonly words: string;
}

/** Current limits of a server, with events of it and of no particular server, oldest first. */
export interface LimitsNow {
  readonly server: Pick<ServerView, 'name' | 'limits'>;
  readonly events: readonly PanelEvent[];
}

/**
 * Returns the known limits of a figure that were in force within the time window, oldest first.
 * @param kept limits of this server from the history, oldest first
 * @param now limits that are newer than those of the history; if undefined, only the history's limits are used
 */
export function limitsWithin(
  { limit }: ChartFigure,
  kept: readonly LimitsInForce[],
  window: TimeWindow,
  now?: LimitsNow,
): readonly ChartLimit[] {
  if (limit === undefined) return [];
  const { setting, unit, format, verb = 'limit' } = limit;
  const past = pastLimitSpans(kept, setting, unit);
  const spans =
    now === undefined
      ? past
      : limitSpansOf(now.events, now.server.name, setting, now.server.limits[setting] * unit, past);
  return spans
    .filter(({ value }) => setting !== 'maxOpenFiles' || isOpenFilesLimit(value))
    .filter(({ from, to }) => from < window.to && to > window.from)
    .map((span) => ({ ...span, words: `${verb} ${formatTick(span.value, format)}` }));
}

/** Returns the value axis that reaches the peak, and each limit that is at most twice the peak. */
export function axisWithin(
  figure: ChartFigure,
  peak: number | undefined,
  limits: readonly Pick<ChartLimit, 'value'>[],
): ValueAxis {
  if (peak === undefined) return figure.axisFor(peak);
  const near = limits.map(({ value }) => value).filter((value) => peak >= value / 2);
  return figure.axisFor(Math.max(peak, ...near));
}

/** Position of a limit and its label in the plot. */
export interface LimitPlace {
  /** Start of the limit as a fraction of the time window: 0 is its beginning, 1 its end. `to` is a fraction as well. */
  readonly from: number;
  readonly to: number;
  /** Value at which the limit is drawn: its own, or the top of the axis if the axis does not reach the limit. */
  readonly y: number;
  /** Whether the axis reaches the limit; if not, only the label is drawn, at the upper edge. */
  readonly isWithin: boolean;
  /** Whether the label is below the limit's line, because above it the label would be outside the plot. */
  readonly isBelow: boolean;
  /** Whether the label is at the right end, where there is room for a limit that began late. */
  readonly isLate: boolean;
  readonly words: string;
}

/** Returns the positions of a chart's limits. A limit that the axis does not reach is left out unless it is the newest. */
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
