import type { ServerView } from '../../shared/domain.ts';
import type { SeriesReply } from '../../shared/history.ts';
import { figuresOf } from '../charts/figures.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { curvesOf } from '../charts/series.ts';
import type { Curve } from '../charts/series.ts';

/** Figures that explain an end most often; more would not fit beside its description. */
const shownFigures: readonly Curve['figure']['id'][] = ['memory', 'cpu', 'latency'];

/**
 * Curves of the time before an end, from the reply of the history; figures without data have no curve.
 * @param endAt time at which a curve is interrupted, because the next run begins there
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
