import { BYTES_PER_MIB, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';
import { trimZeros } from '../format/figures.ts';
import { spanBetween } from '../store/span-choice.ts';
import type { TimeWindow } from './downsample.ts';
import { formatClockTime, formatDate, formatHourMinute, formatWeekdayDate } from '../format/moments.ts';

export interface ValueAxis {
  /** Tick values from zero up, evenly spaced; the last one is the top of the axis. */
  readonly ticks: readonly number[];
  readonly top: number;
}

const decimalSteps = [1, 2, 5];
const DEFAULT_MAX_TICKS = 4;

/** Axis for memory in steps of 1, 2, 4, 8 … MiB, because memory sizes are powers of two. */
export function memoryAxis(peakBytes: number | undefined): ValueAxis {
  return buildAxis(peakBytes ?? 0, DEFAULT_MAX_TICKS, (exponent) => BYTES_PER_MIB * 2 ** exponent);
}

/** Axis in steps of 1, 2, 5, 10 …; the top is at least `leastTop`, so that small fluctuations near zero look small. */
export function decimalAxis(
  peak: number | undefined,
  leastTop: number,
  maxTicks = DEFAULT_MAX_TICKS,
): ValueAxis {
  const stepAt = (index: number) => (decimalSteps[index % 3] ?? 1) * 10 ** Math.floor(index / 3);
  return buildAxis(Math.max(peak ?? 0, leastTop), maxTicks, stepAt);
}

/** Returns the text of a tick in as few characters as possible: `64 MiB`, `1.5 GiB`, `5 %`, and `0` without a unit. */
export function formatTick(value: number, format: (value: number) => string): string {
  return value === 0 ? '0' : trimZeros(format(value));
}

/** Returns the labels of an axis by tick value. If all ticks have the same unit, only the label of the top tick contains it. */
export function tickLabels(
  ticks: readonly number[],
  format: (value: number) => string,
): ReadonlyMap<number, string> {
  const labels = ticks.map((value) => formatTick(value, format));
  const units = new Set(labels.slice(1).map(unitOf));
  const hasOneUnit = units.size === 1 && !units.has('');
  const top = ticks.length - 1;
  return new Map(
    ticks.map((value, index) => {
      const label = labels[index] ?? '';
      return [value, hasOneUnit && index !== top ? (label.split(' ')[0] ?? '') : label];
    }),
  );
}

const unitOf = (label: string): string => label.split(' ').slice(1).join(' ');

/** Returns the axis with the smallest step at which it reaches the peak with at most `maxTicks` ticks, including zero. */
function buildAxis(peak: number, maxTicks: number, stepAt: (index: number) => number): ValueAxis {
  let index = 0;
  while (stepAt(index) * (maxTicks - 1) < peak) index += 1;
  const step = stepAt(index);
  const count = Math.max(1, Math.ceil(peak / step));
  const ticks = Array.from({ length: count + 1 }, (_, tick) => tick * step);
  return { ticks, top: count * step };
}

/**
 * Returns the step in ms by which a live time window advances. It is a sixtieth of the window's length (at least 5 s), so that
 * the chart moves only now and then.
 */
export const stepMsFor = (spanMs: number): number =>
  Math.max(5 * SECOND_MS, roundDown(spanMs / 60, SECOND_MS));

/**
 * Returns a live time window that ends up to one step (plus one second) after `now`. New samples fill the empty space at its
 * right edge, while everything else stays in place until the next step. The additional second is needed because the time of a
 * sample may be ahead of the page's clock.
 */
export function windowEndingAt(now: number, spanMs: number): TimeWindow {
  const stepMs = stepMsFor(spanMs);
  const to = roundDown(now + SECOND_MS, stepMs) + stepMs;
  return { from: to - spanMs, to };
}

/** Returns the time window of half the length in which the instant `at` keeps its relative position. */
export function zoomInto({ from, to }: TimeWindow, at: number): TimeWindow {
  return spanBetween((from + at) / 2, (to + at) / 2);
}

const roundDown = (value: number, step: number): number => Math.floor(value / step) * step;
const MAX_TICKS = 6;
/** Maximum number of ticks at midnights. It is seven, so that in a week each day has its own label. */
const MAX_DAY_TICKS = 7;
/** Steps between ticks that are shorter than an hour, in ms: those that are usual on a clock. */
const minuteSteps: readonly number[] = [
  ...[5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
];
const hourSteps = [1, 2, 3, 6, 12];
const daySteps = [1, 2, 7, 14, 28];
/** Longest time window in ms whose labels show the day of the week (`Mon 23`) instead of the month (`23 Nov`). */
const WEEKDAYS_MS = 10 * DAY_MS;

interface TimeTick {
  readonly at: number;
  readonly label: string;
}

/** Returns a few ticks at round local times. The label format depends on the step: `20:40:15`, `20:40`, `Mon 23`, `23 Nov`. */
export function timeTicks(window: TimeWindow): readonly TimeTick[] {
  const span = window.to - window.from;
  const minutes = minuteSteps.find((step) => span / step <= MAX_TICKS);
  if (minutes !== undefined) return minuteTicks(window, minutes);
  const hours = hourSteps.find((step) => span / (step * HOUR_MS) <= MAX_TICKS);
  if (hours !== undefined) return hourTicks(window, hours);
  const days = daySteps.find((step) => span / (step * DAY_MS) <= MAX_DAY_TICKS) ?? 90;
  return dayTicks(window, days);
}

function minuteTicks({ from, to }: TimeWindow, step: number): readonly TimeTick[] {
  const offset = new Date(to).getTimezoneOffset() * MINUTE_MS;
  const label = step < MINUTE_MS ? formatClockTime : formatHourMinute;
  const ticks: TimeTick[] = [];
  // The first tick is to the right of the left edge, because a label at the edge would overlap the value axis.
  for (let at = Math.floor((from - offset) / step) * step + step + offset; at <= to; at += step)
    ticks.push({ at, label: label(at) });
  return ticks.slice(-MAX_TICKS);
}

/** Returns ticks at full hours, counted from midnight: a day may have 23 or 25 hours. A tick at midnight shows the date. */
function hourTicks({ from, to }: TimeWindow, step: number): readonly TimeTick[] {
  const ticks: TimeTick[] = [];
  for (let day = midnightOf(from); day.getTime() <= to; day.setDate(day.getDate() + 1)) {
    for (let hour = 0; hour < 24; hour += step) {
      const at = new Date(day).setHours(hour);
      if (at > from && at <= to)
        ticks.push({ at, label: hour === 0 ? formatDate(at) : formatHourMinute(at) });
    }
  }
  return ticks;
}

/** Returns ticks at midnight of every `step`-th day, counted from a fixed Monday so that ticks keep their dates over time. */
function dayTicks({ from, to }: TimeWindow, step: number): readonly TimeTick[] {
  const label = to - from <= WEEKDAYS_MS ? formatWeekdayDate : formatDate;
  const ticks: TimeTick[] = [];
  for (let day = midnightOf(from); day.getTime() <= to; day.setDate(day.getDate() + 1)) {
    const at = day.getTime();
    if (at > from && daysSinceMonday(day) % step === 0) ticks.push({ at, label: label(at) });
  }
  return ticks;
}

function midnightOf(at: number): Date {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day;
}

/** Returns the calendar days since a fixed Monday, 5 January 1970, independent of daylight saving time. */
const daysSinceMonday = (day: Date): number =>
  Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / DAY_MS - 4;
