import type { ServerView } from '../../shared/domain.ts';
import type { SeriesReply } from '../../shared/history.ts';
import { figuresOf } from '../charts/figures.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { curvesOf } from '../charts/series.ts';
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
  return curvesOf(reply, name, figures, { window, absences: reply.absences, ends: [endAt] }).filter(
    ({ data }) => data.rows.length > 0,
  );
}
