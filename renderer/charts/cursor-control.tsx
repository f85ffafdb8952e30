import type { KeyboardEvent } from 'react';
import { useServices, useView } from '../services.ts';
import { groupAt, isWithin, moveOf, movedCursor, wordsAt, type CursorStops } from './chart-cursor.ts';
import { liveSpans } from '../store/span-choice.ts';
import type { Absence } from './absences.ts';
import type { TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import { openEvent } from './open-event.ts';
import { zoomInto } from './time-axis.ts';
import { TimeSlider } from './time-slider.tsx';
import type { WindowControl } from './window-control.ts';
import type { Curve } from './series.ts';

interface CursorControlProps {
  /** Accessible name. */
  readonly name: string;
  readonly curves: readonly Curve[];
  readonly stops: CursorStops;
  readonly window: TimeWindow;
  readonly absences: readonly Absence[];
  readonly bucketMs: number;
  readonly control: WindowControl | undefined;
}

const keysWords = '← → sample · ⇧ a minute · , . event';
const zoomKeysWords = `${keysWords} · + − zoom · [ ] earlier, later · 1–5 span · Esc`;

interface WindowKey {
  readonly control: WindowControl;
  readonly window: TimeWindow;
  readonly at: number | undefined;
}

/** Does what a key says about the window, if it says anything. */
export function changesWindow(key: string, { control, window, at }: WindowKey): boolean {
  const live = liveSpans[Number(key) - 1];
  if (live !== undefined) control.followTime(live.spanMs);
  else if (key === '+' || key === '=') control.zoom(zoomInto(window, at ?? window.to));
  else if (key === '-') control.zoomOut();
  else if (key === '[') control.step('earlier');
  else if (key === ']') control.step('later');
  else return false;
  return true;
}

/** Cursor of the charts of one server for the keyboard. What is pointed at stands out in the list of events, too. */
export function CursorControl(props: CursorControlProps) {
  const { name, curves, stops, window, absences, bucketMs, control } = props;
  const { view } = useServices();
  const pinnedAt = useView((state) => state.pinnedAt);
  const at = pinnedAt !== undefined && isWithin(pinnedAt, window) ? pinnedAt : undefined;
  const eventsAt = (instant: number) => groupAt(stops.groups, instant)?.events ?? [];
  const pointAt = (group: EventGroup | undefined) =>
    view.setState({ pointedEvents: group?.events.map(({ id }) => id) ?? [] });
  const press = (event: KeyboardEvent) => {
    const move = moveOf(event);
    if (move !== undefined) {
      const pinned = movedCursor(at, move, stops);
      if (pinned === undefined) return;
      control?.hold();
      view.setState({ pinnedAt: pinned });
      pointAt(groupAt(stops.groups, pinned));
    } else if (control !== undefined && changesWindow(event.key, { control, window, at })) {
      // It is done.
    } else if (event.key === 'Enter' && at !== undefined) openEvent(eventsAt(at)[0]);
    else return;
    event.preventDefault();
  };
  return (
    <TimeSlider
      name={name}
      window={window}
      at={at}
      words={
        at === undefined ? '' : wordsAt(at, { curves, events: eventsAt(at), absences, bucketMs, window })
      }
      keys={control === undefined ? keysWords : zoomKeysWords}
      onKey={press}
      onBlur={() => pointAt(undefined)}
    />
  );
}
