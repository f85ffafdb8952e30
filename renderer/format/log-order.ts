import { needsAttention, type StateKind } from '../../shared/server-states.ts';
import { formatSpan } from './durations.ts';
import type { MarkKind } from './event-sentences.ts';
import { markOf } from './event-words.ts';
import { headlineOf } from './incident-words.ts';
import { latestOf, type LogEntry } from './incidents.ts';
import { formatDay } from './moments.ts';

/**
 * Sorts entries by their latest event, newest first, so that an ongoing incident is at the top. Of entries with equal times,
 * the one that began last comes first.
 */
export const newestFirst = (entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.toReversed().toSorted((a, b) => latestOf(b).at - latestOf(a).at);

/** Returns the mark of an entry: that of its most severe event, or `failed` if the panel gave up. */
export const entryMark = (entry: LogEntry): MarkKind =>
  entry.outcome === 'gave-up' ? 'failed' : markOf(headlineOf(entry).kind);

/** Returns the state whose colour marks a problem at the edge of the entry; undefined if the entry is not a problem. */
export function problemOf(entry: LogEntry): StateKind | undefined {
  const mark = entryMark(entry);
  return mark !== 'cause' && mark !== 'note' && needsAttention(mark) ? mark : undefined;
}

/** Minimum duration in ms that is shown, because events of the same moment are a few milliseconds apart. */
const LEAST_SPAN_MS = 100;

/**
 * Text for the duration of an incident from its first event to its latest; undefined for a single event or a shorter duration.
 */
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
      /** Id of the oldest entry, which stays the same when newer entries are added. */
      readonly id: string;
      /** At least two entries, newest first. */
      readonly entries: readonly [LogEntry, ...LogEntry[]];
    };

/** Row of a log: an item, or the heading of a day. */
export type OrderedLine = LogItem | { readonly kind: 'day'; readonly id: string; readonly at: number };

/** Maximum time in ms between two starts or stops that are folded into one row, such as those at the start of an app run. */
const TOGETHER_MS = 120_000;
/** Maximum time in ms between the beginnings of incidents of several servers that may have the same cause. */
const AT_ONCE_MS = 5000;
/** Maximum number of rows that may be between entries that are folded. */
const MOST_BETWEEN = 40;

/**
 * Folds entries with the same text at about the same time into one item. Otherwise the start of a hundred servers, or the crash
 * of all servers that need one program, would push everything else out of view. Incidents that begin at about the same time are
 * folded even if other rows are between them.
 * @param entries newest first
 */
export function foldAlike(entries: readonly LogEntry[]): readonly LogItem[] {
  const items: LogItem[] = [];
  for (const entry of entries) {
    // If several servers have incidents at the same time, rows with other events of these servers may be between the incidents.
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

/** True if an entry has the same text and about the same time as an item of later entries. */
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

/** Returns the number of items that are new or have new events, compared with an earlier list. */
export function countNewer(items: readonly LogItem[], shown: readonly LogItem[]): number {
  const stamps = new Set(shown.map(stampOf));
  return items.filter((item) => !stamps.has(stampOf(item))).length;
}

/** Id that changes when an item gets a new event. */
const stampOf = (item: LogItem): string => latestOf(entriesOf(item)[0]).id;

/** Appends the items of `content` that are older than all `items`, at the bottom, where they do not move any other item. */
export function olderThan(items: readonly LogItem[], content: readonly LogItem[]): readonly LogItem[] {
  const last = items.at(-1);
  if (last === undefined) return content;
  const oldest = oldestOf(last).events[0].id;
  const older = content.filter((item) => latestOf(entriesOf(item)[0]).id < oldest);
  return older.length === 0 ? items : [...items, ...older];
}

/** Key shared by entries that are folded into one row; undefined for an entry that always has its own row. */
function likenessOf(entry: LogEntry): string | undefined {
  const { events, outcome } = entry;
  const { kind, server, detail } = headlineOf(entry);
  if (server === null) return undefined;
  if (outcome !== undefined) return detail.instance === undefined ? `${kind} ${outcome}` : undefined;
  return events.length === 1 && ['started', 'stopped', 'slept', 'woken'].includes(kind) ? kind : undefined;
}
