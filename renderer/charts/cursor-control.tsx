import type { KeyboardEvent } from 'react';
import { useServices, useView } from '../services.ts';
import { groupAt, isWithin, moveOf, movedCursor, wordsAt, type CursorStops } from './chart-cursor.ts';
import { liveSpans } from '../store/span-choice.ts';
import type { Absence } from './absences.ts';
import type { TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import { openInLog } from './mark-lane.tsx';
import { zoomInto } from './time-axis.ts';
import type { WindowControl } from './window-control.ts';
import type { Curve } from './use-curves.ts';
import styles from './time-overlay.module.css';

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
function changesWindow(key: string, { control, window, at }: WindowKey): boolean {
  const live = liveSpans[Number(key) - 1];
  if (live !== undefined) control.followTime(live.spanMs);
  else if (key === '+' || key === '=') control.zoom(zoomInto(window, at ?? window.to));
  else if (key === '-') control.zoomOut();
  else if (key === '[') control.step('earlier');
  else if (key === ']') control.step('later');
  else return false;
  return true;
}

/**
 * Cursor of the charts for the keyboard: a slider over time whose value is what the curves show there, which
 * a screen reader tells at every move.
 */
export function CursorControl(props: CursorControlProps) {
  const { name, curves, stops, window, absences, bucketMs, control } = props;
  const { view } = useServices();
  const pinnedAt = useView((state) => state.pinnedAt);
  const at = pinnedAt !== undefined && isWithin(pinnedAt, window) ? pinnedAt : undefined;
  const pointAt = (group: EventGroup | undefined) =>
    view.setState({ pointedEvents: group?.events.map(({ id }) => id) ?? [] });
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveOf(event);
    if (move !== undefined) {
      const pinned = movedCursor(at, move, stops);
      if (pinned === undefined) return;
      control?.hold();
      view.setState({ pinnedAt: pinned });
      pointAt(groupAt(stops.groups, pinned));
    } else if (control !== undefined && changesWindow(event.key, { control, window, at })) {
      // It is done.
    } else if (event.key === 'Enter' && at !== undefined) openInLog(groupAt(stops.groups, at)?.events[0]?.id);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={Math.round(window.from)}
      aria-valuemax={Math.round(window.to)}
      aria-valuenow={Math.round(at ?? window.to)}
      aria-valuetext={
        at === undefined
          ? 'not placed'
          : wordsAt(at, {
              curves,
              events: groupAt(stops.groups, at)?.events ?? [],
              absences,
              bucketMs,
              window,
            })
      }
      className={styles.control}
      onKeyDown={press}
      onBlur={() => pointAt(undefined)}
    >
      <span className={styles.keys} aria-hidden="true">
        {control === undefined ? keysWords : zoomKeysWords}
      </span>
    </div>
  );
}
