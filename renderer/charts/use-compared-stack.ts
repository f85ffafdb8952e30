import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { useView } from '../services.ts';
import { peakOf, type TimeWindow } from './downsample.ts';
import type { ChartFigure } from './figures.ts';
import type { Curve } from './series.ts';
import { averagesOf, isWhole, movedRows, useComparedWindow } from './use-compared.ts';
import { useStack, type Stack } from './use-stack.ts';

interface ComparedStack {
  /** Adds to a curve the one that is drawn behind it. */
  readonly withCompared: <C extends Curve>(curve: C) => C;
  /** Averages of the compared time; empty where a fifth of either time is missing. */
  readonly averages: ReturnType<typeof averagesOf>;
}

interface ComparedOptions {
  readonly server: ServerView;
  readonly figures: readonly ChartFigure[];
  readonly window: TimeWindow;
  readonly events: readonly PanelEvent[];
  /** Data of the time shown. */
  readonly stack: Stack;
}

/** Curves of a server over the time that the charts compare with the one shown. */
export function useComparedStack({ window, stack, ...options }: ComparedOptions): ComparedStack {
  const other = useComparedWindow(window);
  const since = useView((state) => state.recordedSince);
  const earlier = useStack({
    ...{ ...options, window: other?.window ?? window, isWhole: true },
    isAsked: other !== undefined,
  });
  const { curves, called, absences, totals } = earlier;
  const withCompared = useMemo(() => {
    const byFigure = new Map([...curves, ...called].map((curve) => [curve.figure.id, curve.data.rows]));
    return <C extends Curve>(curve: C): C => {
      const earlierRows = byFigure.get(curve.figure.id) ?? [];
      if (other === undefined || earlierRows.length === 0) return curve;
      const axis = curve.figure.axisFor(peakOf(earlierRows));
      return {
        ...{ ...curve, axis: axis.top > curve.axis.top ? axis : curve.axis },
        compared: { rows: movedRows(earlierRows, other.shiftMs), words: other.words },
      };
    };
  }, [other, curves, called]);
  const isTold =
    other !== undefined && isWhole(other.window, absences, since) && isWhole(window, stack.absences, since);
  return { withCompared, averages: isTold ? averagesOf(totals, options.server.name) : {} };
}
