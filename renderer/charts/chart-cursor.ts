import type { PanelEvent } from '../../shared/domain.ts';
import { describeEvent } from '../format/event-words.ts';
import { formatClockTime } from '../format/moments.ts';
import type { CallCurve } from './call-curves.ts';
import { rowAt, type ChartRow, type TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import type { Curve } from './use-curves.ts';

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
  return moves[key];
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

/** What the charts show at an instant, in words: its events, then each curve. */
export function wordsAt(
  at: number,
  curves: readonly (Curve | CallCurve)[],
  events: readonly PanelEvent[],
  bucketMs: number,
): string {
  const happened = events.map((event) => describeEvent(event).title);
  const figures = curves.map((curve) => `${curve.figure.title} ${figureAt(curve, at, bucketMs)}`);
  return [formatClockTime(at), ...happened, ...figures].join(', ');
}

/** Figure of a curve at an instant. */
function figureAt(curve: Curve | CallCurve, at: number, bucketMs: number): string {
  if ('told' in curve) return curve.at(at);
  // The row must lie within two buckets because beyond that the cursor stands in a gap.
  const row = rowAt(curve.data.rows, at, bucketMs * 2);
  return row?.average == null ? 'not measured' : curve.figure.format(row.average);
}

/** Whether a window shows an instant. */
export const isWithin = (at: number, { from, to }: TimeWindow): boolean => at >= from && at <= to;

function nearest(instants: readonly number[], to: number): number | undefined {
  let found: number | undefined;
  for (const instant of instants)
    if (found === undefined || Math.abs(instant - to) < Math.abs(found - to)) found = instant;
  return found;
}
