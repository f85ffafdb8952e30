import type { RecentCalls } from '../../shared/call-figures.ts';
import { formatSpan } from '../../shared/durations.ts';
import { formatCount, formatPlural, formatRoundTrip, MISSING } from './figures.ts';

const SECONDS_PER_MINUTE = 60;
const MS_PER_S = 1000;

/** Explanations of the figures of calls, for tooltips. */
export const callMeanings = {
  calls:
    'Completed calls of clients and of this window. Errors are errors of the server, passed deadlines and lost connections',
  duration:
    'Half of the calls took at most p50, 95 of 100 at most p95; cancelled and lost calls are not counted',
} as const;

/** Call rate such as `24 /min` or `0.2 /min`; a small rate is never rounded to 0. */
export function formatCallRate(callsPerMinute: number | undefined): string {
  if (callsPerMinute === undefined) return MISSING;
  const isSmall = callsPerMinute > 0 && callsPerMinute < 10;
  return `${isSmall ? Number(callsPerMinute.toPrecision(2)) : formatCount(callsPerMinute)} /min`;
}

/** Call rate per second: `0.4 per second`. */
export function perSecondWords(callsPerMinute: number): string {
  const perSecond = callsPerMinute / SECONDS_PER_MINUTE;
  return `${perSecond < 10 ? Number(perSecond.toPrecision(2)) : formatCount(perSecond)} per second`;
}

/** Call duration: `0.4 ms`, `120 ms`, `1.2 s`. */
export function formatCallDuration(ms: number | undefined): string {
  return ms === undefined || ms < MS_PER_S ? formatRoundTrip(ms) : formatSpan(ms);
}

/** Number of errors as text: `2 errors`; undefined for 0. */
export function errorsWords(errors: number): string | undefined {
  return errors === 0 ? undefined : formatPlural(errors, 'error');
}

/** Returns the calls of the last minute; if none are reported, 0 for a running server and undefined for one that is down. */
export function recentCallsOf(server: {
  readonly runningSince?: number | undefined;
  readonly recentCalls?: RecentCalls | undefined;
}): RecentCalls | undefined {
  const { recentCalls, runningSince } = server;
  return recentCalls ?? (runningSince === undefined ? undefined : { calls: 0, errors: 0 });
}

/** Text about calls in flight: "1 call is in flight", "2 calls are in flight". */
export const callsInFlightWords = (calls: number): string =>
  `${formatPlural(calls, 'call')} ${calls === 1 ? 'is' : 'are'} in flight`;
