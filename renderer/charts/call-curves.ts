import type { CallMinute } from '../../shared/call-figures.ts';
import {
  callMeanings,
  errorsWords,
  formatCallDuration,
  formatCallRate,
  perSecondWords,
} from '../format/call-figures.ts';
import { formatHourMinute } from '../format/moments.ts';
import { SHORT_PX, type FigureLook } from './chart-figures.ts';
import { peakOf, type TimeWindow } from './downsample.ts';
import { countedAt, gapAt, middleOf, rateRows } from './call-rows.ts';
import type { Curve } from './use-curves.ts';
import { decimalAxis } from './value-axis.ts';

const MINUTE_MS = 60_000;

export const callsLook: FigureLook = {
  id: 'calls',
  title: 'Calls',
  meaning: callMeanings.calls,
  format: formatCallRate,
  axisFor: (peak) => decimalAxis(peak, 5, 3),
  shape: 'blocks',
  // Its errors are a line more.
  heightPx: SHORT_PX + 16,
};

export const durationLook: FigureLook = {
  id: 'duration',
  title: 'Call duration',
  meaning: callMeanings.duration,
  format: formatCallDuration,
  axisFor: (peak) => decimalAxis(peak, 10, 3),
  shape: 'line',
  heightPx: SHORT_PX,
};

/** A curve of calls with its words: what is said of the latest, of all that is shown, and of one instant. */
export interface CallCurve extends Curve {
  /** A line each. */
  readonly told: readonly string[];
  at(instant: number): string;
}

/**
 * Calls per minute, with a mark where some failed, and how long they took, p50 to p95. Nothing where the window has no
 * calls, and no durations where all were cancelled or lost.
 */
export function callCurvesOf(
  minutes: readonly CallMinute[],
  window: TimeWindow,
  absences: readonly TimeWindow[],
): readonly CallCurve[] {
  const shown = minutes.filter(({ at }) => at + MINUTE_MS > window.from && at < window.to);
  if (shown.length === 0) return [];
  const timed = shown.filter(({ durations }) => durations !== undefined);
  return [callsCurve(shown, window, absences), ...(timed.length === 0 ? [] : [durationCurve(timed, window)])];
}

function callsCurve(
  minutes: readonly CallMinute[],
  window: TimeWindow,
  absences: readonly TimeWindow[],
): CallCurve {
  const rows = rateRows(minutes, { window, absences, unitMs: MINUTE_MS });
  const peak = peakOf(rows) ?? 0;
  const errors = minutes.reduce((sum, minute) => sum + minute.errors, 0);
  return {
    figure: callsLook,
    data: { rows, isBanded: false },
    limits: [],
    axis: callsLook.axisFor(peak),
    marks: minutes
      .filter((minute) => minute.errors > 0)
      .map((minute) => ({ at: middleOf(minute.at, MINUTE_MS, window), value: minute.calls })),
    told: linesOf([`peak ${formatCallRate(peak)}`, errorsWords(errors)]),
    at: (instant) => {
      const minute = minuteAt(minutes, instant);
      const calls = formatCallRate(minute?.calls ?? 0);
      const failed = errorsWords(minute?.errors ?? 0);
      return failed === undefined ? `${calls} at ${formatHourMinute(instant)}` : joined([calls, failed]);
    },
  };
}

function durationCurve(minutes: readonly CallMinute[], window: TimeWindow): CallCurve {
  const rows = minutes.flatMap((minute, position) => {
    const { at, durations } = minute;
    if (durations === undefined) return [];
    const before = minutes[position - 1];
    const isApart = before !== undefined && before.at + MINUTE_MS < at;
    const { p50Ms, p95Ms } = durations;
    const row = { at: middleOf(minute.at, MINUTE_MS, window), average: p50Ms, least: p50Ms, most: p95Ms };
    return isApart ? [gapAt(at - MINUTE_MS / 2), row] : [row];
  });
  const longestMs = Math.max(...minutes.map(({ durations }) => durations?.maxMs ?? 0));
  return {
    figure: durationLook,
    data: { rows, isBanded: true },
    limits: [],
    axis: durationLook.axisFor(peakOf(rows)),
    parts: { average: 'p50', most: 'p95' },
    bucketMs: MINUTE_MS,
    told: [`longest ${formatCallDuration(longestMs)}`],
    at: (instant) => {
      const durations = minuteAt(minutes, instant)?.durations;
      if (durations === undefined) return `no call at ${formatHourMinute(instant)}`;
      return `p95 ${formatCallDuration(durations.p95Ms)}, p50 ${formatCallDuration(durations.p50Ms)}`;
    },
  };
}

/** The figures that stand beside the curves: of the last minute, or of the last one with calls. */
export function latestDurationsOf(minutes: readonly CallMinute[]): CallMinute['durations'] {
  return minutes.findLast(({ durations }) => durations !== undefined)?.durations;
}

/** A curve in words, for whoever cannot see it. */
export function describeCalls(curve: CallCurve, latest: string, callsPerMinute: number | undefined): string {
  const rate =
    curve.figure.id === 'calls' && callsPerMinute !== undefined
      ? [`latest ${latest} (${perSecondWords(callsPerMinute)})`]
      : [`latest ${latest}`];
  return `${curve.figure.title} over time: ${[...rate, ...curve.told].join(', ')}`;
}

export const linesOf = (words: readonly (string | undefined)[]): readonly string[] =>
  words.filter((word) => word !== undefined);

const joined = (words: readonly (string | undefined)[]): string => linesOf(words).join(', ');

const minuteAt = (minutes: readonly CallMinute[], instant: number): CallMinute | undefined =>
  countedAt(minutes, instant, MINUTE_MS);
