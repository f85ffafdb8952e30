import type { PanelEvent } from '../../shared/domain.ts';
import { describeEvent } from '../format/event-words.ts';
import { formatInstant } from '../format/moments.ts';
import { absenceWords, type ChartRow, type Gap, knownGapAt, rowAt, type TimeWindow } from './downsample.ts';
import type { CallCurve } from './call-curves.ts';
import { ROOMY_PX } from './figures.ts';
import type { EventGroup } from './event-groups.ts';
import type { Curve } from './series.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Instants at which the time cursor can stop, and the event groups to which it can jump, oldest first. */
export interface CursorStops {
  readonly instants: readonly number[];
  readonly groups: readonly EventGroup[];
  /** Distance in ms of a leap of the cursor (Shift with an arrow key, or Page Up and Page Down); ten instants if undefined. */
  readonly leapMs?: number;
}

const LEAP = 10;

/** Returns the instants at which the cursor can stop: the samples of the curve that has the most of them. */
export function instantsOf(curves: readonly Curve[]): readonly number[] {
  const drawn = curves.map(({ data }) => data.rows.filter(({ average }) => average !== null));
  const longest = drawn.reduce<readonly ChartRow[]>((a, b) => (b.length > a.length ? b : a), []);
  return longest.map(({ at }) => at);
}

/**
 * Returns the instant of the cursor after a key press; undefined if the key does not move the cursor or there are no instants.
 * If the cursor is not shown yet, an arrow key shows it at the newest sample.
 * @param at current instant of the cursor; undefined while it is not shown
 */
export function movedCursor(
  at: number | undefined,
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  { instants, groups, leapMs }: CursorStops,
): number | undefined {
  const [first, last] = [instants[0], instants.at(-1)];
  const marks = groups.flatMap(({ events }) => (events[0] === undefined ? [] : [events[0].at]));
  type Move = (at: number, by: -1 | 1) => number | undefined;
  const step: Move = (from, by) =>
    by === 1
      ? (instants.find((instant) => instant > from) ?? last)
      : (instants.findLast((instant) => instant < from) ?? first);
  const leap: Move = (from, by) => {
    if (leapMs !== undefined) return nearest(instants, from + by * leapMs);
    const found = instants.findIndex((instant) => instant >= from);
    const place = (found === -1 ? instants.length : found) + by * LEAP;
    return instants[Math.max(0, Math.min(instants.length - 1, place))];
  };
  const moving = (move: Move, by: -1 | 1) => () => (at === undefined ? last : move(at, by));
  const moves: Readonly<Record<string, () => number | undefined>> = {
    ArrowLeft: moving(shiftKey ? leap : step, -1),
    ArrowRight: moving(shiftKey ? leap : step, 1),
    PageUp: moving(leap, -1),
    PageDown: moving(leap, 1),
    Home: () => first,
    End: () => last,
    ',': () => marks.findLast((mark) => at === undefined || mark < at),
    '.': () => (at === undefined ? marks.at(-1) : marks.find((mark) => mark > at)),
  };
  const move = ownValue(moves, key);
  return move === undefined ? undefined : (move() ?? at);
}

/** Returns the event group whose first event is at exactly this instant. */
export const groupAt = (groups: readonly EventGroup[], at: number): EventGroup | undefined =>
  groups.find(({ events }) => events[0]?.at === at);

interface Shown {
  readonly curves: readonly (Curve | CallCurve)[];
  /** Events at exactly the cursor's instant. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly Gap[];
  readonly bucketMs: number;
  readonly window: TimeWindow;
}

/** Returns the charts' text at an instant for screen readers: events, then the reason for a gap or the value of each curve. */
export function wordsAt(at: number, { curves, events, absences, bucketMs, window }: Shown): string {
  const happened = events.map((event) => describeEvent(event).title);
  const figures = curves.map((curve) =>
    [
      `${curve.figure.title} ${figureAt(curve, at, bucketMs) ?? 'not measured'}`,
      comparedAt(curve, at, bucketMs),
    ]
      .filter((words) => words !== undefined)
      .join(', '),
  );
  const absence = knownGapAt(absences, at);
  const told = absence === undefined ? figures : [absenceWords[absence.reason]];
  return [formatInstant(at, window.to - window.from), ...happened, ...told].join(', ');
}

/**
 * Returns the text of a curve's value at an instant. If the value summarizes several samples, the text also contains minimum
 * and maximum. Undefined if nothing was measured.
 */
function figureAt(curve: Curve | CallCurve, at: number, bucketMs: number): string | undefined {
  if ('told' in curve) return curve.at(at);
  const { figure, data } = curve;
  // The row must be at most two buckets away, because otherwise the cursor is in a gap.
  const row = rowAt(data.rows, at, bucketMs * 2);
  if (row?.average == null) return undefined;
  const band = bandWords(row, data.isBanded, figure.format);
  return band === undefined ? figure.format(row.average) : `${figure.format(row.average)} (${band})`;
}

/**
 * Returns the lines of text that a chart shows for an instant. If the value summarizes several samples, they contain the
 * average, and below it the minimum and maximum. A line about the compared time, such as last week, follows. If there is room
 * for only one line, it contains both values.
 */
export function linesAt(
  at: number,
  curve: Curve | CallCurve,
  shown: Pick<Shown, 'absences' | 'bucketMs' | 'window'>,
): readonly string[] {
  const { figure, data } = curve;
  const bucketMs = curve.bucketMs ?? shown.bucketMs;
  const isRoomy = figure.heightPx >= ROOMY_PX;
  const compared = comparedAt(curve, at, bucketMs);
  // The row must be at most two buckets away, because otherwise the cursor is in a gap.
  const row = rowAt(data.rows, at, bucketMs * 2);
  const value = figure.format(row?.average ?? undefined);
  if (compared !== undefined && !isRoomy) return [`${value} · ${compared}`];
  const others = compared === undefined ? [] : [compared];
  if ('told' in curve) return [curve.at(at), ...others];
  const absence = knownGapAt(shown.absences, at);
  if (absence !== undefined) return [absenceWords[absence.reason], ...others];
  const band = row && bandWords(row, data.isBanded, figure.format);
  if (band === undefined)
    return [`${value} at ${formatInstant(at, shown.window.to - shown.window.from)}`, ...others];
  return [...(isRoomy ? [`average ${value}`, band] : [`${value}, ${band}`]), ...others];
}

/**
 * Returns the value of the compared curve (the same figure at an earlier time), such as "last week 160 MiB". Undefined if there
 * is no such curve, or it has a gap at this instant.
 */
function comparedAt({ figure, compared }: Curve, at: number, bucketMs: number): string | undefined {
  if (compared === undefined) return undefined;
  const { rows, words } = compared;
  const row =
    figure.shape === 'blocks'
      ? rows.findLast((one) => one.at <= at && one.average !== null)
      : rowAt(rows, at, bucketMs * 2);
  return row?.average == null ? undefined : `${words} ${figure.format(row.average)}`;
}

/** Returns the text of a row's minimum and maximum, such as `160 to 190 MiB`; undefined if both have the same text. */
export function bandWords(
  { least, most }: ChartRow,
  isBanded: boolean,
  format: (value: number) => string,
): string | undefined {
  if (!isBanded || least === null || most === null) return undefined;
  const [low, high] = [format(least), format(most)];
  if (low === high) return undefined;
  // If both values have the same unit, it appears only once.
  const [lowNumber, lowUnit] = low.split(' ');
  return `${lowUnit === high.split(' ')[1] ? lowNumber : low} to ${high}`;
}

/** Whether a time window contains an instant. */
export const isWithin = (at: number, { from, to }: TimeWindow): boolean => at >= from && at <= to;

function nearest(instants: readonly number[], to: number): number | undefined {
  let found: number | undefined;
  for (const instant of instants)
    if (found === undefined || Math.abs(instant - to) < Math.abs(found - to)) found = instant;
  return found;
}
