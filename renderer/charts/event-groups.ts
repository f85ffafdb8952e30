import type { PanelEvent } from '../../shared/domain.ts';
import type { MarkKind } from '../format/event-sentences.ts';
import { markOf } from '../format/event-words.ts';
import type { TimeWindow } from './downsample.ts';

/** Minimum distance in px between two marks; closer marks would overlap. */
const GROUP_WITHIN_PX = 8;

/** Events that share one mark. */
export interface EventGroup {
  /** x of the mark, from the left edge of the plot. */
  readonly x: number;
  /** Most severe mark of the events. */
  readonly mark: MarkKind;
  /** Events, oldest first. */
  readonly events: readonly PanelEvent[];
}

const worstFirst: readonly MarkKind[] = [
  'failed',
  'stalled',
  'backoff',
  'suspect',
  'stopping',
  'stopped',
  'starting',
  'running',
  'cause',
  'note',
];

/** Groups the events of the time window (oldest first) into marks; events closer than eight px share one. */
export function groupEvents(
  events: readonly PanelEvent[],
  window: TimeWindow,
  widthPx: number,
): readonly EventGroup[] {
  const groups: { x: number; mark: MarkKind; events: PanelEvent[] }[] = [];
  for (const event of events) {
    if (event.at < window.from || event.at > window.to) continue;
    const x = ((event.at - window.from) / (window.to - window.from)) * widthPx;
    const last = groups.at(-1);
    // Distance counts from the first event of a group because a chain of close events would otherwise become one mark across
    // the whole axis.
    if (last !== undefined && x - last.x < GROUP_WITHIN_PX) {
      last.events.push(event);
      last.mark = worseOf(last.mark, markOf(event.kind));
    } else groups.push({ x, mark: markOf(event.kind), events: [event] });
  }
  return groups;
}

const worseOf = (a: MarkKind, b: MarkKind): MarkKind =>
  worstFirst.indexOf(a) <= worstFirst.indexOf(b) ? a : b;
