import type { PanelEvent } from '../../shared/domain.ts';
import type { MarkKind } from '../format/event-sentences.ts';
import { markOf, troubleMarks } from '../format/event-words.ts';
import { formatPlural } from '../format/figures.ts';
import type { TimeWindow } from './downsample.ts';

/** Distance in px between two event marks below which they would overlap, so that their events share one mark. */
const GROUP_WITHIN_PX = 8;

/** Events that share one mark. */
export interface EventGroup {
  /** Horizontal position in px of the mark, which is that of the first event, from the left edge of the plot. */
  readonly x: number;
  /** Horizontal position in px of the last event. */
  readonly toX: number;
  /** Mark of the most severe event in the group. */
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
  'asleep',
  'starting',
  'running',
  'cause',
  'note',
];

/** Groups the events of the time window (oldest first) into marks; events less than 8 px apart share one mark. */
export function groupEvents(
  events: readonly PanelEvent[],
  window: TimeWindow,
  widthPx: number,
): readonly EventGroup[] {
  const groups: { x: number; toX: number; mark: MarkKind; events: PanelEvent[] }[] = [];
  for (const event of events) {
    if (event.at < window.from || event.at > window.to) continue;
    const x = ((event.at - window.from) / (window.to - window.from)) * widthPx;
    const last = groups.at(-1);
    // The distance is measured from the first event of a group, because otherwise a chain of close events would become one mark
    // across the whole axis.
    if (last !== undefined && x - last.x < GROUP_WITHIN_PX) {
      last.events.push(event);
      last.toX = x;
      last.mark = worseOf(last.mark, markOf(event.kind));
    } else groups.push({ x, toX: x, mark: markOf(event.kind), events: [event] });
  }
  return groups;
}

/** Combines groups that are less than 8 px apart into one group, which is drawn as a band. */
export function bandsOf(groups: readonly EventGroup[]): readonly EventGroup[] {
  const bands: EventGroup[] = [];
  for (const group of groups) {
    const last = bands.at(-1);
    if (last === undefined || group.x - last.toX >= GROUP_WITHIN_PX) bands.push(group);
    else
      bands[bands.length - 1] = {
        ...{ x: last.x, toX: group.toX, mark: worseOf(last.mark, group.mark) },
        events: [...last.events, ...group.events],
      };
  }
  return bands;
}

/** True if the events of a group extend over so much of the axis that a band is drawn instead of a single mark. */
export const isBand = ({ x, toX }: EventGroup): boolean => toX - x >= GROUP_WITHIN_PX;

/** Returns the number and kind of the worst events of a group: "31 crashes". */
export function worstWords({ mark, events }: EventGroup): string {
  const worst = events.filter(({ kind }) => markOf(kind) === mark);
  if (worst.every(({ kind }) => kind === 'crashed')) return formatPlural(worst.length, 'crash', 'crashes');
  return formatPlural(worst.length, troubleMarks.has(mark) ? 'problem' : 'event');
}

const worseOf = (a: MarkKind, b: MarkKind): MarkKind =>
  worstFirst.indexOf(a) <= worstFirst.indexOf(b) ? a : b;
