import { useEffect, useMemo } from 'react';
import type { SeriesReply } from '../../shared/history.ts';
import { figures } from '../charts/figures.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { useServices } from '../services.ts';
import type { TaskStatus } from '../store/task.ts';
import { useTask } from '../use-task.ts';
import { windowBefore } from './window-before.ts';

const MAX_BUCKETS = 240;

export interface TimeBefore {
  readonly window: TimeWindow;
  /** Answer of the history; undefined until it is asked for. */
  readonly status: TaskStatus<SeriesReply, void> | undefined;
}

/** The figures of the minutes before an end, read once. */
export function useTimeBefore(server: string, at: number): TimeBefore {
  const { api, clock } = useServices();
  const window = useMemo(() => windowBefore(at, clock.getState().now), [at, clock]);
  const { status, run } = useTask<SeriesReply>();
  useEffect(() => {
    const metrics = Object.values(figures).map(({ metric }) => metric);
    void run(() => api.getSeries({ servers: [server], metrics, maxBuckets: MAX_BUCKETS, ...window }));
  }, [api, server, run, window]);
  return { window, status };
}
