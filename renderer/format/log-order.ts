import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { needsAttention, type StateKind } from '../../shared/server-states.ts';
import { formatSpan } from './durations.ts';
import { markOf, type MarkKind } from './event-marks.ts';
import { headlineOf } from './incident-words.ts';
import type { LogEntry } from './incidents.ts';

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

/** Row of a log: an entry, or several quiet ones that say the same of different servers. */
export type LogItem =
  | { readonly kind: 'entry'; readonly id: string; readonly entry: LogEntry }
  | {
      readonly kind: 'fold';
      /** Id of the oldest entry, which stays while newer ones join. */
      readonly id: string;
      readonly event: QuietKind;
      /** Entries, newest first, two at least. */
      readonly entries: readonly LogEntry[];
    };

/** Events that say nothing more than that all went as planned. */
export type QuietKind = Extract<EventKind, 'started' | 'stopped'>;

/** Longest time between two quiet events that still belong together, as the starts of one launch do. */
const TOGETHER_MS = 120_000;

/**
 * Folds quiet entries in a row into one item, because a launch of a hundred servers would push everything
 * else out of sight.
 * @param entries newest first
 */
export function foldQuiet(entries: readonly LogEntry[]): readonly LogItem[] {
  const items: LogItem[] = [];
  for (const entry of entries) {
    const event = quietKindOf(entry);
    const last = items.at(-1);
    const before = last && entriesOf(last);
    const joins =
      event !== undefined &&
      before !== undefined &&
      quietKindOf(before.at(-1)!) === event &&
      latestOf(before.at(-1)!).at - latestOf(entry).at <= TOGETHER_MS;
    if (joins) items[items.length - 1] = { kind: 'fold', id: entry.id, event, entries: [...before, entry] };
    else items.push({ kind: 'entry', id: entry.id, entry });
  }
  return items;
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

function quietKindOf({ events, outcome }: LogEntry): QuietKind | undefined {
  const [{ kind, server }] = events as readonly [PanelEvent];
  if (outcome !== undefined || events.length > 1 || server === null) return undefined;
  return kind === 'started' || kind === 'stopped' ? kind : undefined;
}
