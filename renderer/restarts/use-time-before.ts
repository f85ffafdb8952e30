import { useMemo } from 'react';
import { figures } from '../charts/figures.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { useSeries, type SeriesOverTime } from '../charts/use-series.ts';
import { useServices } from '../services.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/units.ts';

const MAX_BUCKETS = 240;
const metrics = Object.values(figures).map(({ metric }) => metric);

export interface TimeBefore extends Pick<SeriesOverTime, 'reply' | 'isAnswered' | 'error'> {
  readonly window: TimeWindow;
}

/** Figures of the minutes before an end. */
export function useTimeBefore(server: string, at: number): TimeBefore {
  const { clock } = useServices();
  const window = useMemo(() => windowBefore(at, clock.getState().now), [at, clock]);
  const servers = useMemo(() => [server], [server]);
  return { window, ...useSeries({ servers, metrics, window, maxBuckets: MAX_BUCKETS }) };
}
/** Milliseconds for which one-minute buckets are kept; older figures are in buckets of 15 minutes. */
const MINUTES_KEPT_MS = 7 * DAY_MS;

/** Time range of the curves of an end: the time before it and a little after, longer if only coarse buckets are left. */
export function windowBefore(at: number, now: number): TimeWindow {
  const isFine = now - at < MINUTES_KEPT_MS - MINUTE_MS;
  const beforeMs = isFine ? 10 * MINUTE_MS : DAY_MS / 4;
  return { from: Math.max(0, at - beforeMs), to: at + beforeMs / 10 };
}
