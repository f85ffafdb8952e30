import { useMemo } from 'react';
import type { SpanTotal } from '../../shared/history.ts';
import { useView } from '../services.ts';
import { comparedShiftMs } from '../store/span-choice.ts';
import type { ChartRow, TimeWindow } from './downsample.ts';

/** Time that charts draw behind the one shown. */
export interface ComparedWindow {
  readonly window: TimeWindow;
  /** Milliseconds from this time to the one shown. */
  readonly shiftMs: number;
  /** Name of this time: "last week". */
  readonly words: string;
}

const comparedWords = { none: 'before', before: 'before', week: 'last week' } as const;

/** The time that charts compare with a time window; undefined while they compare none. */
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

/** Least share of a time in which the panel ran, for its figures to be compared. */
const LEAST_SHARE = 0.8;

/**
 * Whether so little of a time is missing that its figures can be compared. @param since start of the history, if it is known
 */
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

/** Averages by metric, among the totals of one server, or of all servers together. */
export const averagesOf = (
  totals: readonly SpanTotal[],
  server: string | null,
): Readonly<Partial<Record<SpanTotal['metric'], number>>> =>
  Object.fromEntries(
    totals.flatMap((total) =>
      total.server === server && total.average !== undefined ? [[total.metric, total.average]] : [],
    ),
  );
