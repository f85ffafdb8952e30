import type { PanelEvent } from '../../shared/domain.ts';
import type { CallSeriesReply, HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { UsageSeries } from './usage-stack.ts';

/** Milliseconds between two redraws. */
export const REDRAW_MS = 5000;
const MINUTE_MS = 60_000;
/** Possible spans in ms, shortest first. */
const spansMs: readonly number[] = [2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** Longest time span in ms drawn in steps of five seconds; longer ones are drawn in minutes, which the history returns. */
export const SHORT_SPAN_MS = 5 * MINUTE_MS;

/** Span shown, in whole buckets; the last bucket may be incomplete. */
export interface UsageWindow {
  readonly spanMs: number;
  readonly bucketMs: number;
  /** Index of the first bucket, counted from the epoch. */
  readonly first: number;
  readonly steps: number;
}

/** Window that ends now and covers all data since `oldestAt`, an hour at most. */
export function usageWindow(oldestAt: number | undefined, now: number): UsageWindow {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  const spanMs = spansMs.find((span) => age <= span) ?? spansMs.at(-1)!;
  return windowOf(spanMs, spanMs <= SHORT_SPAN_MS ? REDRAW_MS : MINUTE_MS, now);
}

/** The same time span in buckets of a minute, because calls are counted by the minute. */
export const minuteWindow = ({ spanMs }: UsageWindow, now: number): UsageWindow =>
  windowOf(spanMs, MINUTE_MS, now);

function windowOf(spanMs: number, bucketMs: number, now: number): UsageWindow {
  const steps = Math.round(spanMs / bucketMs);
  // A bucket that begins exactly now is still empty, and would be a gap at the edge.
  return { spanMs, bucketMs, steps, first: Math.floor((now - 1) / bucketMs) - steps + 1 };
}

/** Values of one figure for each server, by step of the time window. */
export function seriesIn(
  { from, stepMs, series }: SeriesReply,
  metric: HistoryMetric,
  { bucketMs, first, steps }: UsageWindow,
): readonly UsageSeries[] {
  return series
    .filter((one) => one.metric === metric)
    .map(({ server, index, avg }) => {
      const figures = new Array<number | undefined>(steps).fill(undefined);
      index.forEach((bucket, place) => {
        const step = Math.floor((from + bucket * stepMs) / bucketMs) - first;
        if (step >= 0 && step < steps) figures[step] = avg[place];
      });
      return { server, figures };
    });
}

/**
 * * Calls of a server by minute. A minute without calls is a zero if the panel was sampling, and otherwise a gap. @param
 * isWatched whether the panel had a value of any server, by step of the app window @param recent calls within the last 60
 * seconds; they replace the last minute, whose count is too low until it is over
 */
export function callSeries(
  server: string,
  called: Pick<CallSeriesReply, 'from' | 'stepMs' | 'buckets'>,
  { first, steps }: UsageWindow,
  isWatched: readonly boolean[],
  recent?: number,
): UsageSeries {
  const calls = new Map(
    called.buckets.map(({ index, calls: count }) => [
      Math.floor((called.from + index * called.stepMs) / MINUTE_MS),
      count,
    ]),
  );
  if (recent !== undefined) calls.set(first + steps - 1, recent);
  return {
    server,
    figures: Array.from(
      { length: steps },
      (_, step) => calls.get(first + step) ?? (isWatched[step] === true ? 0 : undefined),
    ),
  };
}

/** Whether a minute has any values, from the same information for shorter buckets. */
export function watchedMinutes(
  isKnown: readonly boolean[],
  window: UsageWindow,
  minutes: UsageWindow,
): readonly boolean[] {
  const watched = new Set(
    isKnown.flatMap((known, step) =>
      known ? [Math.floor(((window.first + step) * window.bucketMs) / MINUTE_MS)] : [],
    ),
  );
  return Array.from({ length: minutes.steps }, (_, step) => watched.has(minutes.first + step));
}

/** Positions of the automatic restarts in the window: 0 is its left edge, 1 its right. */
export function restartTicks(
  events: readonly Pick<PanelEvent, 'kind' | 'at'>[],
  { first, bucketMs, steps }: UsageWindow,
): readonly number[] {
  const from = first * bucketMs;
  const places = events
    .filter(({ kind }) => kind === 'restarted')
    .map(({ at }) => Math.round(((at - from) / (steps * bucketMs)) * 200) / 200);
  return [...new Set(places)].filter((place) => place >= 0 && place <= 1);
}
