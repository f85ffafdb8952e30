import type { KeyboardEvent } from 'react';
import { useServices, useView } from '../services.ts';
import { groupAt, isWithin, moveOf, movedCursor, wordsAt, type CursorStops } from './chart-cursor.ts';
import type { TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import { showInLog } from './mark-lane.tsx';
import { zoomInto } from './time-axis.ts';
import type { WindowControl } from './time-overlay.tsx';
import type { Curve } from './use-curves.ts';
import styles from './time-overlay.module.css';

interface CursorControlProps {
  /** Accessible name. */
  readonly name: string;
  readonly curves: readonly Curve[];
  readonly stops: CursorStops;
  readonly window: TimeWindow;
  readonly bucketMs: number;
  readonly control: WindowControl | undefined;
}

const keysWords = '← → sample · ⇧ a minute · , . event';
const zoomKeysWords = `${keysWords} · + − zoom · Esc`;

/**
 * Cursor of the charts for the keyboard: a slider over time whose value is what the curves show there, which
 * a screen reader tells at every move.
 */
export function CursorControl({ name, curves, stops, window, bucketMs, control }: CursorControlProps) {
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
    } else if (event.key === '+' || event.key === '=') {
      control?.zoom(zoomInto(window, at ?? window.to));
    } else if (event.key === '-') control?.zoom(undefined);
    else if (event.key === 'Enter' && at !== undefined) showInLog(groupAt(stops.groups, at)?.events[0]?.id);
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
          : wordsAt(at, curves, groupAt(stops.groups, at)?.events ?? [], bucketMs)
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
