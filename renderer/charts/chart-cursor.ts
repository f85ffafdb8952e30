import type { PanelEvent } from '../../shared/domain.ts';
import { describeEvent } from '../format/event-words.ts';
import { formatInstant } from '../format/moments.ts';
import { absenceAt, absenceWords, type Absence } from './absences.ts';
import type { CallCurve } from './call-curves.ts';
import { rowAt, type ChartRow, type TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import type { Curve } from './series.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Way in which the keyboard moves the cursor. */
export type CursorMove =
  'earlier' | 'later' | 'minute-earlier' | 'minute-later' | 'first' | 'last' | 'event-before' | 'event-after';

const MINUTE_MS = 60_000;

/** What the cursor can stand on, oldest first. */
export interface CursorStops {
  readonly instants: readonly number[];
  readonly groups: readonly EventGroup[];
}

/** Move of a key, if it is one. */
export function moveOf({ key, shiftKey }: { readonly key: string; readonly shiftKey: boolean }) {
  const moves: Readonly<Record<string, CursorMove>> = {
    ArrowLeft: shiftKey ? 'minute-earlier' : 'earlier',
    ArrowRight: shiftKey ? 'minute-later' : 'later',
    PageUp: 'minute-earlier',
    PageDown: 'minute-later',
    Home: 'first',
    End: 'last',
    ',': 'event-before',
    '.': 'event-after',
  };
  return ownValue(moves, key);
}

/** Instants of the samples that are drawn: those of the curve that has most. */
export function instantsOf(curves: readonly Curve[]): readonly number[] {
  const drawn = curves.map(({ data }) => data.rows.filter(({ average }) => average !== null));
  const longest = drawn.reduce<readonly ChartRow[]>((a, b) => (b.length > a.length ? b : a), []);
  return longest.map(({ at }) => at);
}

/**
 * Instant after a move, undefined where there is nothing to stand on. A cursor that is not there yet comes in
 * at the newest sample.
 * @param at where the cursor is
 */
export function movedCursor(
  at: number | undefined,
  move: CursorMove,
  { instants, groups }: CursorStops,
): number | undefined {
  const [first, last] = [instants[0], instants.at(-1)];
  const marks = groups.flatMap(({ events }) => (events[0] === undefined ? [] : [events[0].at]));
  switch (move) {
    case 'first':
      return first ?? at;
    case 'last':
      return last ?? at;
    case 'event-before':
      return marks.findLast((mark) => at === undefined || mark < at) ?? at;
    case 'event-after':
      return marks.find((mark) => at !== undefined && mark > at) ?? at ?? marks.at(-1);
    case 'earlier':
      return at === undefined ? last : (instants.findLast((instant) => instant < at) ?? at);
    case 'later':
      return at === undefined ? last : (instants.find((instant) => instant > at) ?? at);
    case 'minute-earlier':
      return at === undefined ? last : (nearest(instants, at - MINUTE_MS) ?? at);
    case 'minute-later':
      return at === undefined ? last : (nearest(instants, at + MINUTE_MS) ?? at);
  }
}

/** Group whose first event is at an instant. */
export const groupAt = (groups: readonly EventGroup[], at: number): EventGroup | undefined =>
  groups.find(({ events }) => events[0]?.at === at);

interface Shown {
  readonly curves: readonly (Curve | CallCurve)[];
  /** Events at the very instant. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly Absence[];
  readonly bucketMs: number;
  readonly window: TimeWindow;
}

/** What the charts show at an instant, in words: its events, then why nothing was measured, or each curve. */
export function wordsAt(at: number, { curves, events, absences, bucketMs, window }: Shown): string {
  const happened = events.map((event) => describeEvent(event).title);
  const figures = curves.map(
    (curve) => `${curve.figure.title} ${figureAt(curve, at, bucketMs) ?? 'not measured'}`,
  );
  const absence = absenceAt(absences, at);
  const told = absence === undefined ? figures : [absenceWords[absence.reason]];
  return [formatInstant(at, window.to - window.from), ...happened, ...told].join(', ');
}

/** Figure of a curve at an instant, with its least and most where it stands for several; undefined where none was measured. */
function figureAt(curve: Curve | CallCurve, at: number, bucketMs: number): string | undefined {
  if ('told' in curve) return curve.at(at);
  const { figure, data } = curve;
  // The row must lie within two buckets because beyond that the cursor stands in a gap.
  const row = rowAt(data.rows, at, bucketMs * 2);
  if (row?.average == null) return undefined;
  const band = bandWords(row, data.isBanded, figure.format);
  return band === undefined ? figure.format(row.average) : `${figure.format(row.average)} (${band})`;
}

/** Least and most of a row in words, where they differ as they are told: `160 to 190 MiB`. */
export function bandWords(
  { least, most }: ChartRow,
  isBanded: boolean,
  format: (value: number) => string,
): string | undefined {
  if (!isBanded || least === null || most === null) return undefined;
  const [low, high] = [format(least), format(most)];
  if (low === high) return undefined;
  // The unit is said once where both have the same.
  const [lowNumber, lowUnit] = low.split(' ');
  return `${lowUnit === high.split(' ')[1] ? lowNumber : low} to ${high}`;
}

/** Whether a window shows an instant. */
export const isWithin = (at: number, { from, to }: TimeWindow): boolean => at >= from && at <= to;

function nearest(instants: readonly number[], to: number): number | undefined {
  let found: number | undefined;
  for (const instant of instants)
    if (found === undefined || Math.abs(instant - to) < Math.abs(found - to)) found = instant;
  return found;
}
