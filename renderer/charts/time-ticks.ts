import { formatClockTime, formatDate, formatHourMinute, formatWeekdayDate } from '../format/moments.ts';
import type { TimeWindow } from './downsample.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MAX_TICKS = 6;
/** A week has seven days, and each is what people look for in it. */
const MAX_DAY_TICKS = 7;
/** Steps that people count in, below an hour. */
const minuteSteps: readonly number[] = [
  ...[5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
];
const hourSteps = [1, 2, 3, 6, 12];
const daySteps = [1, 2, 7, 14, 28];
/** Longest span in which a day is looked for by its name rather than by its month. */
const WEEKDAYS_MS = 10 * DAY_MS;

export interface TimeTick {
  readonly at: number;
  readonly label: string;
}

/** Ticks at few round local times, labelled as finely as they stand: `20:40:15`, `20:40`, `Mon 23`, `23 Nov`. */
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
  // No label stands at the left edge itself because it would lie under the value axis.
  for (let at = Math.floor((from - offset) / step) * step + step + offset; at <= to; at += step)
    ticks.push({ at, label: label(at) });
  return ticks.slice(-MAX_TICKS);
}

/** Full hours of each day, counted from its midnight, because a day may have 23 or 25 of them. Midnight tells the day. */
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

/** Midnights that are a number of days apart, counted from a Monday, so that they stay where they are while time goes on. */
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

/** Days since a Monday of long ago, by the calendar, whatever the clocks did. */
const daysSinceMonday = (day: Date): number =>
  Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / DAY_MS - 4;
