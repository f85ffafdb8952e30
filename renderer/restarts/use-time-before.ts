import { useMemo } from 'react';
import { figures } from '../charts/figures.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { useSeries, type SeriesOverTime } from '../charts/use-series.ts';
import { useServices } from '../services.ts';
import { windowBefore } from './window-before.ts';

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
