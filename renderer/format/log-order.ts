import type { PanelEvent } from '../../shared/domain.ts';
import { needsAttention, type StateKind } from '../../shared/server-states.ts';
import { formatSpan } from './durations.ts';
import type { MarkKind } from './event-sentences.ts';
import { markOf } from './event-words.ts';
import { headlineOf } from './incident-words.ts';
import type { LogEntry } from './incidents.ts';
import { formatDay } from './moments.ts';

/** Latest event of an entry. */
export const latestOf = ({ events }: LogEntry): PanelEvent => events[events.length - 1]!;

/**
 * Entries by their latest event, newest first, so that an incident that goes on stands where it is looked
 * for. Entries of one instant keep the order of their beginning.
 */
export const newestFirst = (entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.toReversed().toSorted((a, b) => latestOf(b).at - latestOf(a).at);

/** Mark of an entry: that of its gravest event, or of a server that was given up. */
export const entryMark = (entry: LogEntry): MarkKind =>
  entry.outcome === 'gave-up' ? 'failed' : markOf(headlineOf(entry).kind);

/** State whose colour an entry has at its edge because it is a problem; undefined for any other. */
export function problemOf(entry: LogEntry): StateKind | undefined {
  const mark = entryMark(entry);
  return mark !== 'cause' && mark !== 'note' && needsAttention(mark) ? mark : undefined;
}

/** Time that an incident took from its first event to its latest; undefined for a single event. */
export function spanOf(entry: LogEntry): string | undefined {
  const { events, outcome } = entry;
  if (outcome === undefined || events.length < 2) return undefined;
  return formatSpan(Math.max(0, latestOf(entry).at - events[0]!.at));
}

/** Row of a log: an entry, or several that say the same. */
export type LogItem =
  | { readonly kind: 'entry'; readonly id: string; readonly entry: LogEntry }
  | {
      readonly kind: 'fold';
      /** Id of the oldest entry, which stays while newer ones join. */
      readonly id: string;
      /** Entries, newest first, two at least. */
      readonly entries: readonly LogEntry[];
    };

/** Row of a log with the days between the items. */
export type OrderedLine = LogItem | { readonly kind: 'day'; readonly id: string; readonly at: number };

/** Longest time between two quiet events that still belong together, as the starts of one launch do. */
const TOGETHER_MS = 120_000;
/** Longest time between the beginnings of incidents of several servers that may have one cause. */
const AT_ONCE_MS = 5000;

/**
 * Folds entries in a row that say the same into one item, because a launch of a hundred servers, or the crash of all that
 * need one program, would push everything else out of sight.
 * @param entries newest first
 */
export function foldAlike(entries: readonly LogEntry[]): readonly LogItem[] {
  const items: LogItem[] = [];
  for (const entry of entries) {
    const last = items.at(-1);
    const before = last && entriesOf(last);
    if (before !== undefined && isAlike(before, entry))
      items[items.length - 1] = { kind: 'fold', id: entry.id, entries: [...before, entry] };
    else items.push({ kind: 'entry', id: entry.id, entry });
  }
  return items;
}

/** Whether an entry says the same as those that came after it, of about the same time. */
function isAlike(after: readonly LogEntry[], entry: LogEntry): boolean {
  const next = after.at(-1)!;
  const likeness = likenessOf(entry);
  if (likeness === undefined || likeness !== likenessOf(next)) return false;
  if (entry.outcome === undefined) return latestOf(next).at - latestOf(entry).at <= TOGETHER_MS;
  const [first, other] = [entry.events[0]!, next.events[0]!];
  return (
    Math.abs(first.at - other.at) <= AT_ONCE_MS &&
    after.every(({ events: [event] }) => event?.server !== first.server)
  );
}

/** Items with a row for each day before its first one. */
export function dayRows(items: readonly LogItem[]): readonly OrderedLine[] {
  const atOf = (item: LogItem) => latestOf(entriesOf(item)[0]!).at;
  return items.flatMap((item, index) => {
    const [at, above] = [atOf(item), items[index - 1]];
    const isNewDay = above === undefined || formatDay(atOf(above)) !== formatDay(at);
    return isNewDay ? [{ kind: 'day', id: `day before ${item.id}`, at } as const, item] : [item];
  });
}

/** Entries of an item, newest first. */
export const entriesOf = (item: LogItem): readonly LogEntry[] =>
  item.kind === 'fold' ? item.entries : [item.entry];

/** Number of items that are new, or have gone on, since another list of them. */
export function countNewer(items: readonly LogItem[], shown: readonly LogItem[]): number {
  const stamps = new Set(shown.map(stampOf));
  return items.filter((item) => !stamps.has(stampOf(item))).length;
}

/** Stamp that changes when anything happened to an item. */
const stampOf = (item: LogItem): string => latestOf(entriesOf(item)[0]!).id;

/** Items with those of `content` that are older than all of them: they came below, and move nothing. */
export function olderThan(items: readonly LogItem[], content: readonly LogItem[]): readonly LogItem[] {
  const last = items.at(-1);
  if (last === undefined) return content;
  const oldest = entriesOf(last).at(-1)!.events[0]!.id;
  const older = content.filter((item) => latestOf(entriesOf(item)[0]!).id < oldest);
  return older.length === 0 ? items : [...items, ...older];
}

/** What entries have in common that are told in one row; undefined for one that has a row of its own. */
function likenessOf(entry: LogEntry): string | undefined {
  const { events, outcome } = entry;
  const { kind, server, detail } = headlineOf(entry);
  if (server === null) return undefined;
  if (outcome !== undefined) return detail.instance === undefined ? `${kind} ${outcome}` : undefined;
  return events.length === 1 && (kind === 'started' || kind === 'stopped') ? kind : undefined;
}
