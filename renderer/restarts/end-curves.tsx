import { useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { MomentCurves } from '../charts/moment-curves.tsx';
import { usePastEvents, useEventsOf } from '../charts/use-past-events.ts';
import { formatSpan } from '../format/durations.ts';
import { formatClockTime } from '../format/moments.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import type { SeriesReply } from '../../shared/history.ts';
import { figuresOf } from '../charts/figures.ts';
import type { SeriesOverTime } from '../charts/use-series.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { curvesOf, type Curve } from '../charts/series.ts';

interface EndCurvesProps {
  readonly server: Pick<ServerView, 'name' | 'transport'>;
  readonly at: number;
  /** Resource use in the minutes before the end, from the history. */
  readonly before: Pick<SeriesOverTime, 'reply' | 'isAnswered' | 'error'> & { readonly window: TimeWindow };
}

/** Curves of memory and CPU in the minutes before a run's end, with the events of that time; a text if nothing is stored. */
export function EndCurves({ server: { name, transport }, at, before }: EndCurvesProps) {
  const { window, reply, isAnswered, error } = before;
  const live = useEventsOf(name);
  const { events } = usePastEvents(name, live, window);
  const curves = useMemo(
    () => (isAnswered ? curvesBefore(reply, { name, transport }, window, at) : []),
    [isAnswered, reply, name, transport, window, at],
  );
  if (error !== undefined)
    return <ErrorNote error={error} server={name} lead="Its curves could not be read" />;
  if (!isAnswered) return null;
  if (curves.length === 0) return <p className="text-dim">There are no figures for the time before.</p>;
  const clock = formatClockTime(at);
  return (
    <MomentCurves
      server={name}
      {...{ curves, window, events }}
      absences={reply.absences.map((span) => ({ ...span, reason: 'not-running' }))}
      bucketMs={reply.stepMs}
      when={`before ${clock}`}
      span={`in the ${formatSpan(at - window.from)} before ${clock}`}
    />
  );
}

/** Metrics that most often explain the end of a run. More curves would not fit beside its description. */
const shownFigures: readonly Curve['figure']['id'][] = ['memory', 'cpu', 'latency'];

/**
 * Curves of the time before the end of a run, from the reply of the history; figures without data have no curve.
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
