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

const twoDigits = (value: number): string => String(value).padStart(2, '0');
