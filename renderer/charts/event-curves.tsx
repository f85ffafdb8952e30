import { useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { formatClockTime } from '../format/moments.ts';
import { useNow } from '../services.ts';
import { useEventsOf } from './use-past-events.ts';
import { figuresOf } from './figures.ts';
import { MomentCurves } from './moment-curves.tsx';
import { useStack } from './use-stack.ts';

/** Time in ms shown before and after an event, so that its causes and effects are seen. */
const AROUND_MS = 5 * 60_000;
const STEP_MS = 2000;

interface EventCurvesProps {
  readonly server: ServerView;
  readonly at: number;
}

/**
 * First two figures of a server around a moment, with the events of that time. A note replaces the curves if the moment is
 * before the start of the app, and nothing is shown if no curves exist.
 */
export function EventCurves({ server, at }: EventCurvesProps) {
  const { name, transport } = server;

  // The value grows while samples of the time after the event are still to come, and then stays the same.
  const seenTo = useNow((now) => Math.min(at + AROUND_MS, Math.ceil(now / STEP_MS) * STEP_MS));
  const window = useMemo(() => {
    void seenTo;
    return { from: at - AROUND_MS, to: at + AROUND_MS };
  }, [at, seenTo]);
  const events = useEventsOf(name);
  const figures = useMemo(() => figuresOf(transport).slice(0, 2), [transport]);
  const { curves, absences, bucketMs, isKnown } = useStack({ server, figures, window, events });
  if (curves.every(({ data }) => data.rows.length === 0)) {
    const isOfEarlierLaunch =
      isKnown && events.some((event) => event.kind === 'panel-started' && event.at > at);
    return isOfEarlierLaunch ? (
      <p className="text-dim">No curves are kept from before the panel's start.</p>
    ) : null;
  }

  const clock = formatClockTime(at);
  return (
    <MomentCurves
      server={name}
      {...{ curves, window, events, absences, bucketMs }}
      when={`around ${clock}`}
      span={`five minutes before and after ${clock}`}
    />
  );
}
