import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import type { SpanTotal } from '../../shared/history.ts';
import { useView } from '../services.ts';
import { comparedShiftMs } from '../store/span-choice.ts';
import { peakOf, type ChartRow, type TimeWindow } from './downsample.ts';
import type { ChartFigure } from './figures.ts';
import type { Curve } from './series.ts';
import { type Stack, useStack } from './use-stack.ts';

/** Earlier time span that charts draw behind the time span shown. */
export interface ComparedWindow {
  readonly window: TimeWindow;
  /** Milliseconds from the earlier time span to the one shown. */
  readonly shiftMs: number;
  /** Name of the earlier time span: "last week". */
  readonly words: string;
}

const comparedWords = { none: 'before', before: 'before', week: 'last week' } as const;

/** Returns the time span with which charts compare a time window; undefined if they compare none. */
export function useComparedWindow(window: TimeWindow): ComparedWindow | undefined {
  const compared = useView((state) => state.compared);
  return useMemo(() => {
    const shiftMs = comparedShiftMs(compared, window);
    return shiftMs === undefined || window.from < shiftMs
      ? undefined
      : {
          window: { from: window.from - shiftMs, to: window.to - shiftMs },
          ...{ shiftMs, words: comparedWords[compared] },
        };
  }, [compared, window]);
}

export const movedRows = (rows: readonly ChartRow[], shiftMs: number): readonly ChartRow[] =>
  rows.map((row) => ({ ...row, at: row.at + shiftMs }));

/** Minimum share of a time span in which the panel must have run, so that the figures of the span can be compared. */
const LEAST_SHARE = 0.8;

/** True if so little of a time span is missing that its figures can be compared. @param since start of the history, if known */
export function isWhole(
  { from, to }: TimeWindow,
  absences: readonly TimeWindow[],
  since: number | undefined,
): boolean {
  const gaps = since === undefined ? absences : [...absences, { from, to: since }];
  const missing = gaps.reduce(
    (sum, gap) => sum + Math.max(0, Math.min(to, gap.to) - Math.max(from, gap.from)),
    0,
  );
  return missing <= (1 - LEAST_SHARE) * (to - from);
}

/** Averages by metric, from the totals of one server, or of all servers together. */
export const averagesOf = (
  totals: readonly SpanTotal[],
  server: string | null,
): Readonly<Partial<Record<SpanTotal['metric'], number>>> =>
  Object.fromEntries(
    totals.flatMap((total) =>
      total.server === server && total.average !== undefined ? [[total.metric, total.average]] : [],
    ),
  );

interface ComparedStack {
  /** Adds the rows of the compared time span to a curve; they are drawn behind it. */
  readonly withCompared: <C extends Curve>(curve: C) => C;
  /** Averages of the compared time span; empty if more than a fifth of either time span is missing. */
  readonly averages: ReturnType<typeof averagesOf>;
}

interface ComparedOptions {
  readonly server: ServerView;
  readonly figures: readonly ChartFigure[];
  readonly window: TimeWindow;
  readonly events: readonly PanelEvent[];
  /** Data of the time span shown. */
  readonly stack: Stack;
}

/** Returns what a server's charts need to compare the time span shown with an earlier one. */
export function useComparedStack({ window, stack, ...options }: ComparedOptions): ComparedStack {
  const other = useComparedWindow(window);
  const since = useView((state) => state.kept?.oldestAt);
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
