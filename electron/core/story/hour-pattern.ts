import type { Pattern } from '../../../shared/restart-story.ts';
import type { FoundEnd } from './run-ends.ts';
import { namedShare } from './share.ts';

const LEAST_DAYS = 4;
const WINDOW_MINUTES = 60;
const DAY_MINUTES = 24 * 60;

/** Pattern of faults at one time of day: most of them within an hour, on at least four days. */
export function hourPattern(
  faults: readonly FoundEnd[],
  minuteOfDay: (at: number) => number,
): readonly Pattern[] {
  const timed = faults.map((end) => ({ end, minute: minuteOfDay(end.at) }));
  const from = fullestWindow(timed.map(({ minute }) => minute));
  const own = timed
    .map(({ end, minute }) => ({ end, intoMinutes: minutesAfter(from, minute) }))
    .filter(({ intoMinutes }) => intoMinutes < WINDOW_MINUTES);
  const days = countDays(own.map(({ end, intoMinutes }) => end.at / 60_000 - intoMinutes));
  if (days < LEAST_DAYS) return [];
  const lengthMinutes = Math.max(...own.map(({ intoMinutes }) => intoMinutes));
  const ends = own.map(({ end }) => end);
  return namedShare(ends, faults, 0.6).map((share) => ({
    kind: 'time-of-day',
    ...share,
    days,
    fromMinute: from,
    toMinute: (from + lengthMinutes) % DAY_MINUTES,
  }));
}

/** Start of the window with the most of these minutes of the day; the earliest of several. */
function fullestWindow(minutes: readonly number[]): number {
  const counts = Array.from({ length: DAY_MINUTES }, () => 0);
  for (const minute of minutes) counts[minute]! += 1;
  let best = { from: 0, count: 0 };
  for (const from of new Set(minutes.toSorted((a, b) => a - b))) {
    let count = 0;
    for (let into = 0; into < WINDOW_MINUTES; into += 1) count += counts[(from + into) % DAY_MINUTES]!;
    if (count > best.count) best = { from, count };
  }
  return best.from;
}

/** Minutes from one time of day to the next occurrence of the other. */
const minutesAfter = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES;

/** Number of days that begin at these minutes since 1970. Two within half a day count as one, because clocks are changed. */
function countDays(begins: readonly number[]): number {
  let count = 0;
  let last = -Infinity;
  for (const begin of begins.toSorted((a, b) => a - b)) {
    if (begin - last > DAY_MINUTES / 2) count += 1;
    last = begin;
  }
  return count;
}
