import { useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import styles from '../charts/chart-stack.module.css';
import { MomentCurves } from '../charts/moment-curves.tsx';
import { usePastEvents } from '../charts/use-past-events.ts';
import { formatSpan } from '../format/durations.ts';
import { formatClockTime } from '../format/moments.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { useEventsOf } from '../charts/use-past-events.ts';
import { curvesBefore } from './curves-before.ts';
import type { TimeBefore } from './use-time-before.ts';

interface EndCurvesProps {
  readonly server: Pick<ServerView, 'name' | 'transport'>;
  readonly at: number;
  readonly before: TimeBefore;
}

/** Curves of memory and CPU in the minutes before an end, with the events of that time; a text if nothing is stored. */
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
  if (curves.length === 0) return <p className={styles.none}>No figures of the time before are kept.</p>;
  const clock = formatClockTime(at);
  return (
    <MomentCurves
      {...{ curves, window, events }}
      absences={reply.absences.map((span) => ({ ...span, reason: 'not-running' }))}
      bucketMs={reply.stepMs}
      when={`before ${clock}`}
      span={`in the ${formatSpan(at - window.from)} before ${clock}`}
    />
  );
}
