import type { PanelEvent, ServerView } from '../../shared/domain.ts';
import { breachIn, limitSettingOf } from '../format/limit-sentences.ts';

export type LimitSetting = keyof ServerView['limits'];
const settings: readonly LimitSetting[] = ['maxMemoryMiB', 'maxCpuPercent', 'maxOpenFiles'];

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
 * what the history kept, or else each from one change to the next where an event told the limit. Other times are unknown.
 * @param events of one server and of all, oldest first.
 * @param now the limit that is in force, in the unit of the figure.
 * @param kept by the history, oldest first; it may not have the last change yet
 */
export function limitSpansOf(
  events: readonly PanelEvent[],
  server: string,
  setting: LimitSetting,
  now: number,
  kept: readonly LimitSpan[] = [],
): readonly LimitSpan[] {
  const changes = events.filter((event) => mayChange(event, server, setting)).map(({ at }) => at);
  const since = changes.at(-1);
  if (since !== undefined && kept.length > 0)
    return joinedSpans([...before(since, kept), { from: since, to: Infinity, value: now }]);
  const starts = [-Infinity, ...changes];
  const told = starts.flatMap((from, index) => {
    const to = starts[index + 1];
    const value = to === undefined ? now : toldWithin(events, setting, from, to);
    return value === undefined ? [] : [{ from, to: to ?? Infinity, value }];
  });
  return joinedSpans(told);
}

/** A limit that a possible change left as it was makes one span, not two. */
export function joinedSpans(spans: readonly LimitSpan[]): readonly LimitSpan[] {
  const long: LimitSpan[] = [];
  for (const span of spans) {
    const last = long.at(-1);
    const isSame = last?.to === span.from && last.value === span.value;
    if (isSame) long[long.length - 1] = { ...last, to: span.to };
    else long.push(span);
  }
  return long;
}

function before(at: number, kept: readonly LimitSpan[]): readonly LimitSpan[] {
  return kept.filter(({ from }) => from < at).map((span) => ({ ...span, to: Math.min(span.to, at) }));
}

/** When any limit of a server may have changed last; undefined where no event says so. */
export const limitsChangedAt = (events: readonly PanelEvent[], server: string): number | undefined =>
  events.findLast((event) => settings.some((setting) => mayChange(event, server, setting)))?.at;

/**
 * Whether an event may have changed the limit. An absence of the panel may, because nobody saw what changed.
 */
function mayChange({ kind, detail, server: of }: PanelEvent, server: string, setting: LimitSetting): boolean {
  if (kind === 'panel-started') return true;
  if (kind !== 'config-changed') return false;
  const { change, servers = [], fields = [] } = detail;
  if (of === null && !servers.includes(server)) return false;
  if (change === 'added') return true;
  const path = `panel.limits.${setting}`;
  return fields.some((field) => field === path || path.startsWith(`${field}.`));
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
  return teller && breachIn(teller)?.max;
}
