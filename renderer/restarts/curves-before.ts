import type { ServerView } from '../../shared/domain.ts';
import type { SeriesReply } from '../../shared/history.ts';
import { figuresOf } from '../charts/figures.ts';
import type { ChartRow, TimeWindow } from '../charts/downsample.ts';
import { pastCurves } from '../charts/series.ts';
import type { Curve } from '../charts/series.ts';

/** What explains an end most often, and has room beside its story. */
const shownFigures: readonly Curve['figure']['id'][] = ['memory', 'cpu', 'latency'];

/**
 * Curves of the time before an end, from what the history answered; none of a figure of which nothing is kept.
 * @param endAt a curve breaks there, because the next run begins anew
 */
export function curvesBefore(
  reply: SeriesReply,
  { name, transport }: Pick<ServerView, 'name' | 'transport'>,
  window: TimeWindow,
  endAt: number,
): readonly Curve[] {
  const figures = figuresOf(transport).filter(({ id }) => shownFigures.includes(id));
  return pastCurves(reply, name, figures, window, () => [])
    .filter(({ data }) => data.rows.length > 0)
    .map((curve) => ({ ...curve, data: { ...curve.data, rows: brokenAt(curve.data.rows, endAt) } }));
}

function brokenAt(rows: readonly ChartRow[], endAt: number): readonly ChartRow[] {
  const after = rows.findIndex(({ at }) => at > endAt);
  const [before, next] = [rows[after - 1], rows[after]];
  if (before === undefined || next === undefined || before.average === null || next.average === null)
    return rows;
  const gap = { at: (before.at + next.at) / 2, average: null, least: null, most: null };
  return [...rows.slice(0, after), gap, ...rows.slice(after)];
}
