import type { PanelEvent } from '../../shared/domain.ts';
import type { CallSeriesReply, HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { UsageSeries } from './usage-stack.ts';

/** Time between two drawings. */
export const REDRAW_MS = 5000;
const MINUTE_MS = 60_000;
/** Spans, the shortest first. */
const spansMs: readonly number[] = [2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);
/** Longest span that is shown by the five seconds; beyond it minutes do, which the history answers by. */
export const SHORT_SPAN_MS = 5 * MINUTE_MS;

/** Time shown, in whole buckets; the last may still be filling. */
export interface UsageWindow {
  readonly spanMs: number;
  readonly bucketMs: number;
  /** Number of the first bucket. */
  readonly first: number;
  readonly steps: number;
}

/** Window that ends now and is as long as there is something to show, an hour at most. */
export function usageWindow(oldestAt: number | undefined, now: number): UsageWindow {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  const spanMs = spansMs.find((span) => age <= span) ?? spansMs.at(-1)!;
  return windowOf(spanMs, spanMs <= SHORT_SPAN_MS ? REDRAW_MS : MINUTE_MS, now);
}

/** The same time in minutes, which is what calls are counted in. */
export const minuteWindow = ({ spanMs }: UsageWindow, now: number): UsageWindow =>
  windowOf(spanMs, MINUTE_MS, now);

function windowOf(spanMs: number, bucketMs: number, now: number): UsageWindow {
  const steps = Math.round(spanMs / bucketMs);
  // A bucket that begins at this very instant is empty yet, and would be a gap at the edge.
  return { spanMs, bucketMs, steps, first: Math.floor((now - 1) / bucketMs) - steps + 1 };
}

/** One figure of each server, by step of the window. */
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
 * Calls of a server by minute. A minute without calls is a zero where somebody looked, and a gap elsewhere.
 * @param isWatched whether the panel had figures of any server, by step of the window
 * @param recent calls within the last 60 seconds, in place of the last minute, which would be too low until it is over
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

/** Whether anything is known of a minute, from what is known of the shorter buckets. */
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

/** Places of the automatic restarts within the window: 0 is its left edge, 1 its right. */
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
