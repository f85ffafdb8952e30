/** Texts for wall-clock times in local time, with 24 hours and the same format in every locale so that columns stay aligned. */

/** Time: `20:41:07`. */
export function formatClockTime(at: number): string {
  const date = new Date(at);
  return `${formatHourMinute(at)}:${twoDigits(date.getSeconds())}`;
}

/** Time without seconds: `20:41`. */
export function formatHourMinute(at: number): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Date: `2026-09-01`. */
export function formatDay(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** Date and time: `2026-09-01 20:41:07`. */
export function formatMoment(at: number): string {
  return `${formatDay(at)} ${formatClockTime(at)}`;
}

/** Day relative to `now`: `Today`, `Yesterday`, `Tue 24 Nov`, or `Tue 24 Nov 2025` if it is in another year. */
export function formatDayName(at: number, now: number): string {
  const day = formatDay(at);
  if (day === formatDay(now)) return 'Today';
  const noon = new Date(now);
  noon.setHours(12, 0, 0, 0);
  // 24 hours are subtracted from noon, because a day may have 23 or 25 hours and the date must change by exactly one.
  return day === formatDay(noon.getTime() - 86_400_000) ? 'Yesterday' : dateInWords(at, now);
}

function dateInWords(at: number, now: number): string {
  const [year, thisYear] = [at, now].map((time) => new Date(time).getFullYear());
  return `${weekday.format(at)} ${formatDate(at)}${year === thisYear ? '' : ` ${year}`}`;
}

const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });

/** Date in the user's locale: `23 Nov`. */
export const formatDate = (at: number): string => date.format(at);

/** Day of the week in the user's locale, with the date: `Mon 23`. */
export const formatWeekdayDate = (at: number): string => `${weekday.format(at)} ${new Date(at).getDate()}`;

/**
 * Maximum time span in ms for which times are shown without a date; `SECONDS_MS` is the maximum for which they include seconds.
 */
const DAYLESS_MS = 13 * 3_600_000;
const SECONDS_MS = 3 * 3_600_000;

/** Time in a chart, as precise as the time span of the chart requires: `20:41:07`, `20:41`, `23 Nov 20:41`. */
export function formatInstant(at: number, spanMs: number): string {
  if (spanMs <= SECONDS_MS) return formatClockTime(at);
  return spanMs <= DAYLESS_MS ? formatHourMinute(at) : `${formatDate(at)} ${formatHourMinute(at)}`;
}

/** Time span with its dates: `23 Nov 20:41 – 21:41`. */
export function formatSpanOfTime({ from, to }: { readonly from: number; readonly to: number }): string {
  const [start, end] = [from, to].map(to - from < 10 * 60_000 ? formatClockTime : formatHourMinute);
  const isOneDay = formatDay(from) === formatDay(to);
  return `${formatDate(from)} ${start} – ${isOneDay ? '' : `${formatDate(to)} `}${end}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
