import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { LimitsInForce } from '../../shared/history.ts';
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
  /** Limits, oldest first and never two at once. */
  readonly limits: readonly ChartLimit[];
  readonly axis: ValueAxis;
  /** Where something of it went wrong. */
  readonly marks?: readonly ChartMark[];
  /** What the figures of its rows are called, where they are not the average, the least and the most of samples. */
  readonly parts?: CurveParts;
  /** How long one of its rows stands for, where that is not what the others have. */
  readonly bucketMs?: number;
}

/** What the figures of a row are called. */
export interface CurveParts {
  readonly average: string;
  readonly least?: string;
  readonly most: string;
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
  /** Window of time. Curves are made anew when it changes identity, and when the past was completed. */
  readonly window: TimeWindow;
  readonly bucketMs: number;
  /** Number that changes when there are new samples to show; a still window has none to wait for. */
  readonly tick?: number;
  /**
   * Events of this server and of all, oldest first: they tell when its runs ended, and which limits it had.
   */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly TimeWindow[];
  /** Limits that the history kept of this server, oldest first. */
  readonly keptLimits: readonly LimitsInForce[];
}

/** The curves of a server within a window, from the samples that are here. */
export function useCurves(options: CurvesOptions): readonly SampleCurve[] {
  const { server, figures, window, bucketMs, events, absences, keptLimits, tick } = options;
  const { name, limits } = server;
  const { history } = useServices();
  const fills = useHistoryFills(name);
  // Limits are read one by one because every push brings them in a new object.
  const { maxMemoryMiB, maxCpuPercent, maxOpenFiles } = limits;
  return useMemo(() => {
    // Fills and ticks stand for the ring, which changes in place.
    void fills;
    void tick;
    const samples = history.since(name, window.from);
    const ends = [...runEndsOf(events), ...processEndsOf(samples)];
    const server = { name, limits: { maxMemoryMiB, maxCpuPercent, maxOpenFiles } };
    return figures.map((figure) => {
      const rules = { absences, ends, isSparse: figure.isSparse === true };
      const data = toChartRows(samples, figure.pick, window, bucketMs, rules);
      const limits = limitsWithin(figure, server, events, window, keptLimits);
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
    keptLimits,
    fills,
    tick,
    maxMemoryMiB,
    maxCpuPercent,
    maxOpenFiles,
  ]);
}
