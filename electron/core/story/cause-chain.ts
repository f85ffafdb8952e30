import { toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import type { ChainFact } from '../../../shared/restart-story.ts';
import type { FoundEnd } from './run-ends.ts';

/** Milliseconds after the machine wakes within which a failure may be related to the waking. */
export const WAKE_MS = 2 * 60_000;
/**
 * Maximum milliseconds between a change of the configuration and the end of a run for which the change counts as a sign (a
 * possible cause) of the end. A change that restarts the server always counts.
 */
const EDIT_MS = 10 * 60_000;
/** Maximum milliseconds between malformed output and the end of a run for which the output counts as a sign of the end. */
const NOISE_MS = 10_000;

/** Limits for the data of each event in a chain, which is only for display. The activity view has the complete events. */
const BOUNDS: DataBounds = {
  maxDepth: 3,
  maxEntries: 20,
  maxValues: 60,
  maxTextLength: 500,
  maxTotalLength: 4000,
  cutTexts: 'end',
};

/** Event fields that are left out of the chain, because `RunEnd` contains them or only the event's own page shows them. */
const leftOut: ReadonlySet<string> = new Set([
  'stderrTail',
  'causeLines',
  'evidence',
  'calls',
  'callsTotal',
  'inUse',
]);

/**
 * Returns the chain of events that explains the end of a run: first its signs (events before it that may have led to it), then
 * the end, then what followed, up to the outcome. The order is that of the journal, and no event is contained twice.
 */
export function causeChain(end: FoundEnd): readonly ChainFact[] {
  const signs = signsOf(end);
  const facts: ChainFact[] = signs.map((event) => factOf(event, 'sign'));
  // If the end was only noticed later, it has no event of its own. The event that revealed it came after the end and is listed
  // there.
  if (!end.isAtLatest) facts.push(factOf(end.event, 'end'));
  const after = end.isAtLatest ? [end.event, ...end.after] : end.after;
  facts.push(...unique(after).map((event) => factOf(event, 'after')));
  return facts;
}

/** Returns the signs of an end: warnings about the run that were not resolved before it, and related events shortly before it. */
function signsOf({ before, event, at, began }: FoundEnd): readonly PanelEvent[] {
  const standing = new Map<string, PanelEvent>();
  for (const sign of before) {
    for (const cleared of clearedBy(sign)) standing.delete(cleared);
    const key = doubtOf(sign, at, began);
    // Of the events of a warning, the first one is kept, because it has the start time; for some kinds, the latest one. A
    // `stalled` event always replaces an earlier one, because it is the final result.
    if (key !== undefined && (sign.kind === 'stalled' || !standing.has(key) || isLatestCounts(sign)))
      standing.set(key, sign);
  }
  const chosen = new Set(standing.values());
  return before.filter((sign) => chosen.has(sign) && sign.id < event.id);
}

const limitKey = (limit: string | undefined): string => `limit ${limit ?? ''}`;

/** Returns the keys of the warnings that this event resolves; empty for most events. */
function clearedBy(event: PanelEvent): readonly string[] {
  if (event.kind === 'recovered') return ['silence', 'stall'];
  return event.kind === 'limit-recovered' ? [limitKey(event.detail.limit)] : [];
}

/** Returns the key of the warning that this event belongs to; undefined if the event cannot explain an end at `endAt`. */
function doubtOf(event: PanelEvent, endAt: number, began: PanelEvent | undefined): string | undefined {
  const agoMs = endAt - event.at;
  switch (event.kind) {
    case 'suspect':
      return 'silence';
    case 'stalled':
      return 'stall';
    case 'limit-breached':
      return limitKey(event.detail.limit);
    case 'high-cpu':
      return limitKey('cpu');
    case 'config-changed':
      return event.detail.restarts === true || agoMs <= EDIT_MS ? 'edit' : undefined;
    case 'system-resumed':
      return agoMs <= WAKE_MS ? 'wake' : undefined;
    case 'protocol-noise':
      return agoMs <= NOISE_MS ? 'noise' : undefined;
    case 'server-version-changed':
      return began === undefined ? undefined : 'version';
    case 'panel-quit':
      return 'quit';
    default:
      return undefined;
  }
}

/** True if a later event with the same key replaces an earlier one. */
const isLatestCounts = ({ kind }: PanelEvent): boolean =>
  kind !== 'suspect' && kind !== 'limit-breached' && kind !== 'high-cpu';

function factOf({ id, at, kind, detail }: PanelEvent, role: ChainFact['role']): ChainFact {
  const told = Object.entries(detail).filter(([field]) => !leftOut.has(field));
  return { eventId: id, at, role, ...toldEvent(kind, boundData(Object.fromEntries(told), BOUNDS).value) };
}

const unique = (events: readonly PanelEvent[]): readonly PanelEvent[] => [
  ...new Map(events.map((event) => [event.id, event])).values(),
];

/** Returns the version that the server reported when the run began. */
export const versionOf = ({ began }: FoundEnd): string | undefined =>
  began?.detail.serverInfo?.version || undefined;
