import { useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { useHistoryFills, useServices } from '../store/services.ts';
import { axisWithin, type ChartFigure, type ChartLimit } from './chart-figures.ts';
import { peakOf, toChartRows, type ChartRows, type TimeWindow } from './downsample.ts';
import type { ValueAxis } from './value-axis.ts';

/** One figure of a server over a span of time, ready to be drawn. */
export interface Curve {
  readonly figure: ChartFigure;
  readonly data: ChartRows;
  readonly limit: ChartLimit | undefined;
  readonly axis: ValueAxis;
}

interface CurvesOptions {
  readonly server: ServerView;
  readonly figures: readonly ChartFigure[];
  /** Curves are made anew when it changes identity, and when the past was completed. */
  readonly window: TimeWindow;
  readonly bucketMs: number;
  readonly absences: readonly TimeWindow[];
}

/** The curves of a server within a window, from the samples that are here. */
export function useCurves({ server, figures, window, bucketMs, absences }: CurvesOptions): readonly Curve[] {
  const { name, limits } = server;
  const { history } = useServices();
  const fills = useHistoryFills(name);
  // One by one, since every push brings them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = limits;
  return useMemo(() => {
    // Stands for the ring, which changes in place; between fills the window moves on with every bucket.
    void fills;
    const samples = history.since(name, window.from);
    return figures.map((figure) => {
      const rules = { absences, isSparse: figure.isSparse === true };
      const data = toChartRows(samples, figure.pick, window, bucketMs, rules);
      const limit = figure.limit?.({ maxMemoryMiB, maxCpuPercent, maxOpenFiles });
      return { figure, data, limit, axis: axisWithin(figure, peakOf(data.rows), limit) };
    });
  }, [history, name, figures, window, bucketMs, absences, fills, maxMemoryMiB, maxCpuPercent, maxOpenFiles]);
}
