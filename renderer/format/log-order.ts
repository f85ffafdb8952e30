import { needsAttention, type StateKind } from '../../shared/server-states.ts';
import { formatSpan } from './durations.ts';
import type { MarkKind } from './event-sentences.ts';
import { markOf } from './event-words.ts';
import { headlineOf } from './incident-words.ts';
import { latestOf, type LogEntry } from './incidents.ts';
import { formatDay } from './moments.ts';

/**
 * Sorts entries by their latest event, newest first, so that an ongoing incident is at the top. Entries with equal times keep
 * the order of their beginnings.
 */
export const newestFirst = (entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.toReversed().toSorted((a, b) => latestOf(b).at - latestOf(a).at);

/** Mark of an entry: that of its most severe event, or `failed` if the panel gave up. */
export const entryMark = (entry: LogEntry): MarkKind =>
  entry.outcome === 'gave-up' ? 'failed' : markOf(headlineOf(entry).kind);

/** State whose colour marks a problem at the entry's edge; undefined if the entry is no problem. */
export function problemOf(entry: LogEntry): StateKind | undefined {
  const mark = entryMark(entry);
  return mark !== 'cause' && mark !== 'note' && needsAttention(mark) ? mark : undefined;
}

/** Shortest duration that is told, because events of one moment lie some milliseconds apart. */
const LEAST_SPAN_MS = 100;

/** Duration of an incident from its first event to its latest; undefined for a single event or moment. */
export function spanOf(entry: LogEntry): string | undefined {
  const { events, outcome } = entry;
  if (outcome === undefined || events.length < 2) return undefined;
  const spanMs = latestOf(entry).at - events[0].at;
  return spanMs < LEAST_SPAN_MS ? undefined : formatSpan(spanMs);
}

/** Row of a log: an entry, or several entries with the same text. */
export type LogItem =
  | { readonly kind: 'entry'; readonly id: string; readonly entry: LogEntry }
  | {
      readonly kind: 'fold';
      /** Id of the oldest entry, which stays the same while newer ones are added. */
      readonly id: string;
      /** Entries, newest first, at least two. */
      readonly entries: readonly [LogEntry, ...LogEntry[]];
    };

/** Row of a log, including the day headings between items. */
export type OrderedLine = LogItem | { readonly kind: 'day'; readonly id: string; readonly at: number };

/** Longest time in ms between two starts or stops that are folded into one row, such as those at the start of an app run. */
const TOGETHER_MS = 120_000;
/** Longest time in ms between the beginnings of incidents of several servers that may have one cause. */
const AT_ONCE_MS = 5000;
/** Most rows between entries that are folded. */
const MOST_BETWEEN = 40;

/**
 * Folds entries with the same text at about the same time into one item, also with others between them that begin as close, because the start of a hundred servers, or the crash of all that
 * need one program, would push everything else out of view.
 * @param entries newest first
 */
export function foldAlike(entries: readonly LogEntry[]): readonly LogItem[] {
  const items: LogItem[] = [];
  for (const entry of entries) {
    // Between incidents of several servers at once, others of the same servers may stand.
    const isNear = (item: LogItem) =>
      item === items.at(-1) || (entry.outcome !== undefined && isAtOnce(oldestOf(item), entry));
    const before = items.slice(-MOST_BETWEEN).findLast((item) => isNear(item) && isAlike(item, entry));
    if (before !== undefined)
      items[items.lastIndexOf(before)] = {
        kind: 'fold',
        id: entry.id,
        entries: [...entriesOf(before), entry],
      };
    else items.push({ kind: 'entry', id: entry.id, entry });
  }
  return items;
}

/** Whether an entry has the same text as an item of later entries, and about the same time. */
function isAlike(after: LogItem, entry: LogEntry): boolean {
  const next = oldestOf(after);
  const likeness = likenessOf(entry);
  if (likeness === undefined || likeness !== likenessOf(next)) return false;
  if (entry.outcome === undefined) return latestOf(next).at - latestOf(entry).at <= TOGETHER_MS;
  const { server } = entry.events[0];
  return isAtOnce(next, entry) && entriesOf(after).every(({ events: [event] }) => event.server !== server);
}

const isAtOnce = (one: LogEntry, other: LogEntry): boolean =>
  Math.abs(one.events[0].at - other.events[0].at) <= AT_ONCE_MS;

/** Adds a row for each day, before the first item of that day. */
export function dayRows(items: readonly LogItem[]): readonly OrderedLine[] {
  const atOf = (item: LogItem) => latestOf(entriesOf(item)[0]).at;
  return items.flatMap((item, index) => {
    const [at, above] = [atOf(item), items[index - 1]];
    const isNewDay = above === undefined || formatDay(atOf(above)) !== formatDay(at);
    return isNewDay ? [{ kind: 'day', id: `day before ${item.id}`, at } as const, item] : [item];
  });
}

/** Entries of an item, newest first. */
export const entriesOf = (item: LogItem): readonly [LogEntry, ...LogEntry[]] =>
  item.kind === 'fold' ? item.entries : [item.entry];

const oldestOf = (item: LogItem): LogEntry => entriesOf(item).at(-1) ?? entriesOf(item)[0];

/** Number of items that are new or have new events, compared with an earlier list. */
export function countNewer(items: readonly LogItem[], shown: readonly LogItem[]): number {
  const stamps = new Set(shown.map(stampOf));
  return items.filter((item) => !stamps.has(stampOf(item))).length;
}

/** Id that changes when an item gets a new event. */
const stampOf = (item: LogItem): string => latestOf(entriesOf(item)[0]).id;

/** Appends the items of `content` that are older than all `items`; at the bottom they do not move anything. */
export function olderThan(items: readonly LogItem[], content: readonly LogItem[]): readonly LogItem[] {
  const last = items.at(-1);
  if (last === undefined) return content;
  const oldest = oldestOf(last).events[0].id;
  const older = content.filter((item) => latestOf(entriesOf(item)[0]).id < oldest);
  return older.length === 0 ? items : [...items, ...older];
}

/** Key that entries of one row share; undefined for an entry that always has its own row. */
function likenessOf(entry: LogEntry): string | undefined {
  const { events, outcome } = entry;
  const { kind, server, detail } = headlineOf(entry);
  if (server === null) return undefined;
  if (outcome !== undefined) return detail.instance === undefined ? `${kind} ${outcome}` : undefined;
  return events.length === 1 && ['started', 'stopped', 'slept', 'woken'].includes(kind) ? kind : undefined;
}
