import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from './units.ts';

/** Length in ms from which spans are shown without seconds, because the seconds would change too often to be useful. */
const COARSE_FROM_MS = 10 * MINUTE_MS;

/** Formats a span: `4 s`, `2 m 10 s`, `42 m`, `3 h`, `3 h 20 m`, `2 d 4 h`. Negative spans (unequal clocks) count as 0. */
export function formatDuration(ms: number): string {
  const span = Math.max(0, ms);
  if (span < MINUTE_MS) return `${Math.floor(span / SECOND_MS)} s`;
  if (span < COARSE_FROM_MS) return joinUnits(span, MINUTE_MS, 'm', SECOND_MS, 's');
  if (span < HOUR_MS) return `${Math.floor(span / MINUTE_MS)} m`;
  if (span < DAY_MS) return joinUnits(span, HOUR_MS, 'h', MINUTE_MS, 'm');
  return joinUnits(span, DAY_MS, 'd', HOUR_MS, 'h');
}

/** Formats a measured span; short ones are shown precisely: `840 ms`, `1.2 s`, `31 s`, `2 m 10 s`. */
export function formatSpan(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * SECOND_MS) return `${trimZero((ms / SECOND_MS).toFixed(1))} s`;
  return formatDuration(Math.round(ms / SECOND_MS) * SECOND_MS);
}

function joinUnits(span: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((span % big) / small);
  const head = `${Math.floor(span / big)} ${bigUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

const trimZero = (digits: string): string => digits.replace(/\.0$/, '');
