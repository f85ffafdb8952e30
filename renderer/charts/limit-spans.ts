import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { readList, readNumber, readText } from '../format/detail-fields.ts';
import { limitSettingOf } from '../format/limit-words.ts';

export type LimitSetting = keyof ServerView['limits'];

/** A limit that was in force from one instant until another. */
export interface LimitSpan {
  /** Infinite where the span has no known edge. */
  readonly from: number;
  readonly to: number;
  /** In the unit of the figure. */
  readonly value: number;
}

/**
 * Which limit was in force when, oldest first: the one of now since it was last changed; and of the times before that, each
 * from one change to the next, those in which an event told what the limit was. Nothing is known of the others.
 * @param events of one server and of all, oldest first.
 * @param now the limit that is in force, in the unit of the figure.
 */
export function limitSpansOf(
  events: readonly PanelEvent[],
  server: string,
  setting: LimitSetting,
  now: number,
): readonly LimitSpan[] {
  const changes = events.filter((event) => mayChange(event, server, setting)).map(({ at }) => at);
  const starts = [-Infinity, ...changes];
  const spans: LimitSpan[] = [];
  starts.forEach((from, index) => {
    const to = starts[index + 1];
    const value = to === undefined ? now : toldWithin(events, setting, from, to);
    if (value === undefined) return;
    const last = spans.at(-1);
    // What could have changed it has not: one line, told once.
    const isSame = last !== undefined && last.to === from && last.value === value;
    if (isSame) spans.pop();
    spans.push({ from: isSame ? last.from : from, to: to ?? Infinity, value });
  });
  return spans;
}

/** While the panel was away, nobody saw what changed. */
function mayChange({ kind, detail, server: of }: PanelEvent, server: string, setting: LimitSetting): boolean {
  if (kind === 'panel-started') return true;
  if (kind !== 'config-changed') return false;
  if (of === null && !readList(detail, 'servers').includes(server)) return false;
  if (readText(detail, 'change') === 'added') return true;
  const path = `panel.limits.${setting}`;
  return readList(detail, 'fields').some((field) => field === path || path.startsWith(`${field}.`));
}

function toldWithin(
  events: readonly PanelEvent[],
  setting: LimitSetting,
  from: number,
  to: number,
): number | undefined {
  const teller = events.findLast(
    (event) => event.at >= from && event.at < to && limitSettingOf(event) === setting,
  );
  return teller && readNumber(teller.detail, 'max');
}
