/** Wall-clock words in the local time zone, 24 hours, the same on every locale so that columns stay aligned. */

/** `20:41:07` */
export function formatClockTime(at: number): string {
  const date = new Date(at);
  return `${formatHourMinute(at)}:${twoDigits(date.getSeconds())}`;
}

/** `20:41` */
export function formatHourMinute(at: number): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** `2026-09-01` */
export function formatDay(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/** `2026-09-01 20:41:07` */
export function formatMoment(at: number): string {
  return `${formatDay(at)} ${formatClockTime(at)}`;
}

/** `Today`, `Yesterday` or the date, as seen from `now`. */
export function formatDayName(at: number, now: number): string {
  const day = formatDay(at);
  if (day === formatDay(now)) return 'Today';
  const noon = new Date(now);
  noon.setHours(12, 0, 0, 0);
  // Noon is the start, so that a day of 23 or 25 hours still steps by one date.
  return day === formatDay(noon.getTime() - 86_400_000) ? 'Yesterday' : day;
}

const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });

/** `23 Nov`, as the person's locale writes it. */
export const formatDate = (at: number): string => date.format(at);

/** `Mon 23`, with the weekday of the person's locale. */
export const formatWeekdayDate = (at: number): string => `${weekday.format(at)} ${new Date(at).getDate()}`;

/** Longest span in which an instant needs no day, and in which it needs its second. */
const DAYLESS_MS = 13 * 3_600_000;
const SECONDS_MS = 3 * 3_600_000;

/** Instant of a chart, as finely as its span asks for: `20:41:07`, `20:41`, `23 Nov 20:41`. */
export function formatInstant(at: number, spanMs: number): string {
  if (spanMs <= SECONDS_MS) return formatClockTime(at);
  return spanMs <= DAYLESS_MS ? formatHourMinute(at) : `${formatDate(at)} ${formatHourMinute(at)}`;
}

/** Span with its days: `23 Nov 20:41 – 21:41`. */
export function formatSpanOfTime({ from, to }: { readonly from: number; readonly to: number }): string {
  const [start, end] = [from, to].map(to - from < 10 * 60_000 ? formatClockTime : formatHourMinute);
  const isOneDay = formatDay(from) === formatDay(to);
  return `${formatDate(from)} ${start} – ${isOneDay ? '' : `${formatDate(to)} `}${end}`;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
