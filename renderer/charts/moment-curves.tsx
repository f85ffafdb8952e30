import { useMemo } from 'react';
import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { formatClockTime } from '../format/moments.ts';
import { useNow } from '../services.ts';
import { type Gap, peakOf, type TimeWindow } from './downsample.ts';
import { CurvePlots } from './curve-plots.tsx';
import { figuresOf } from './figures.ts';
import { MARK_LANE_PX } from './time-grid.tsx';
import type { Curve } from './series.ts';
import { useEventsOf } from './use-past-events.ts';
import { useStack } from './use-stack.ts';

const CURVE_PX = 64;

interface MomentCurvesProps {
  readonly server: string;
  readonly curves: readonly Curve[];
  readonly window: TimeWindow;
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
  readonly absences: readonly Gap[];
  readonly bucketMs: number;
  /** Last part of the accessible name of the time cursor, such as "around 12:30:05" in "Time cursor around 12:30:05". */
  readonly when: string;
  /** Description of the time span in the curves' accessible text, after the title: "five minutes before and after 12:30:05". */
  readonly span: string;
}

/** Small charts of the time around a moment, each with its peak, and the events of that time. */
export function MomentCurves({ curves, when, span, ...plots }: MomentCurvesProps) {
  return (
    // The outline around texts must match the background. The charts appear among the details of an open event, so it uses the
    // background color of that row.
    <div className="flex max-w-860 [--ground:var(--hover)]">
      <div className="flex-none w-128" style={{ paddingTop: MARK_LANE_PX }}>
        {curves.map((curve) => (
          <div
            key={curve.figure.id}
            className="flex flex-col pt-4 whitespace-nowrap"
            style={{ height: CURVE_PX }}
          >
            <span className="caption">{curve.figure.title}</span>
            <span className="text-12/16 text-faint">{peakWords(curve)}</span>
          </div>
        ))}
      </div>
      <CurvePlots
        {...plots}
        cursorName={`Time cursor ${when}`}
        curves={curves}
        heightOf={() => CURVE_PX}
        describe={(curve) => `${curve.figure.title} ${span}: ${peakWords(curve)}`}
      />
    </div>
  );
}

const peakWords = ({ figure, data }: Curve): string => `peak ${figure.format(peakOf(data.rows))}`;

/** Time in ms shown before and after an event, so that its causes and effects are visible. */
const AROUND_MS = 5 * 60_000;
const STEP_MS = 2000;

interface EventCurvesProps {
  readonly server: ServerView;
  readonly at: number;
}

/**
 * Charts of a server's first two figures around an event, with the other events of that time. If the panel was started after
 * the event and no curves remain from that time, a note says so. Without any curves or such a start, nothing is shown.
 */
export function EventCurves({ server, at }: EventCurvesProps) {
  const { name, transport } = server;

  // The right edge of what has been measured. It advances while samples after the event are still being taken, and then stays
  // the same.
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
