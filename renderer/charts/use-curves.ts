import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { useHistoryFills, useServices } from '../services.ts';
import {
  axisWithin,
  limitsWithin,
  type ChartFigure,
  type ChartLimit,
  type FigureLook,
} from './chart-figures.ts';
import { peakOf, toChartRows, type ChartRows, type TimeWindow } from './downsample.ts';
import { processEndsOf, runEndsOf } from './run-ends.ts';
import type { ValueAxis } from './value-axis.ts';

/** One figure of a server over a span of time, ready to be drawn. */
export interface Curve {
  readonly figure: FigureLook;
  readonly data: ChartRows;
  /** Oldest first; one after the other, never two at once. */
  readonly limits: readonly ChartLimit[];
  readonly axis: ValueAxis;
  /** Where something of it went wrong. */
  readonly marks?: readonly ChartMark[];
  /** How long one of its rows stands for, where that is not what the others have. */
  readonly bucketMs?: number;
}

/** A point of a curve that is marked. */
export interface ChartMark {
  readonly at: number;
  readonly value: number;
}

/** A curve of samples. */
export interface SampleCurve extends Curve {
  readonly figure: ChartFigure;
}

interface CurvesOptions {
  readonly server: ServerView;
  readonly figures: readonly ChartFigure[];
  /** Curves are made anew when it changes identity, and when the past was completed. */
  readonly window: TimeWindow;
  readonly bucketMs: number;
  /** Of this server and of all, oldest first: they tell when its runs ended, and which limits it had. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly TimeWindow[];
}

/** The curves of a server within a window, from the samples that are here. */
export function useCurves(options: CurvesOptions): readonly SampleCurve[] {
  const { server, figures, window, bucketMs, events, absences } = options;
  const { name, limits } = server;
  const { history } = useServices();
  const fills = useHistoryFills(name);
  // One by one, since every push brings them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = limits;
  return useMemo(() => {
    // Stands for the ring, which changes in place; between fills the window moves on with every bucket.
    void fills;
    const samples = history.since(name, window.from);
    const ends = [...runEndsOf(events), ...processEndsOf(samples)];
    const server = { name, limits: { maxMemoryMiB, maxCpuPercent, maxOpenFiles } };
    return figures.map((figure) => {
      const rules = { absences, ends, isSparse: figure.isSparse === true };
      const data = toChartRows(samples, figure.pick, window, bucketMs, rules);
      const limits = limitsWithin(figure, server, events, window);
      return { figure, data, limits, axis: axisWithin(figure, peakOf(data.rows), limits) };
    });
  }, [
    history,
    name,
    figures,
    window,
    bucketMs,
    events,
    absences,
    fills,
    maxMemoryMiB,
    maxCpuPercent,
    maxOpenFiles,
  ]);
}
