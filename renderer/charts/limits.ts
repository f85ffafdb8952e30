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
  /** Start of the time span; -Infinity if unknown. Likewise, `to` is Infinity if the end is unknown. */
  readonly from: number;
  readonly to: number;
  /** Limit in the unit of the figure. */
  readonly value: number;
}

/**
 * Returns the time spans in which each value of a limit was in force, oldest first. The current value has been in force since
 * the limit's last change. Earlier spans come from the history. Without the history, the value between two changes is known
 * only if an event in that time reported it; other times are left out.
 * @param events events of this server, and events that belong to no particular server, oldest first
 * @param now current limit, in the figure's unit
 * @param kept spans from the history, oldest first, which may lack the last change
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

/** Joins adjacent spans with the same value, which occur because events that could change the limit often leave it unchanged. */
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

/** True if an event may have changed the limit. A panel start may, because the panel misses changes while it is not running. */
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

/** Span of a limit to draw in a chart, with its label. */
export interface ChartLimit extends LimitSpan {
  readonly words: string;
}

/**
 * Current limits of a server, and the events from which their last changes are read: those of the server and those of no
 * particular server, oldest first.
 */
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

/** Returns a value axis that includes the peak, and also every limit that is at most twice the peak. */
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
  /** Start of the limit as a fraction of the time window: 0 is its beginning, 1 its end. `to` is the limit's end, likewise. */
  readonly from: number;
  readonly to: number;
  /** Value at which the limit is drawn: the limit, or the top of the axis if the limit is above it. */
  readonly y: number;
  /** Whether the axis reaches the limit; if not, only the label is drawn, at the upper edge. */
  readonly isWithin: boolean;
  /** Whether the label is below the limit's line, because above it the label would be outside the plot. */
  readonly isBelow: boolean;
  /** Whether the label is at the right end of the line, because a limit that began late in the window has room only there. */
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
