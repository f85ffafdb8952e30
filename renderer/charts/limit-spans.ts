import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { readList, readNumber, readText } from '../format/detail-fields.ts';
import { limitSettingOf } from '../format/limit-words.ts';

export type LimitSetting = keyof ServerView['limits'];

/** Limit that was in force from one instant until another. */
export interface LimitSpan {
  /** Start of the span; infinite, like `to`, where the edge is unknown. */
  readonly from: number;
  readonly to: number;
  /** Limit in the unit of the figure. */
  readonly value: number;
}

/**
 * Limits by the time they were in force, oldest first: the present one since its last change, and before that
 * each from one change to the next where an event told the limit. Other times are unknown.
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
    // A limit that a possible change left as it was makes one span, not two.
    const isSame = last !== undefined && last.to === from && last.value === value;
    if (isSame) spans.pop();
    spans.push({ from: isSame ? last.from : from, to: to ?? Infinity, value });
  });
  return spans;
}

/**
 * Whether an event may have changed the limit. An absence of the panel may, because nobody saw what changed.
 */
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
