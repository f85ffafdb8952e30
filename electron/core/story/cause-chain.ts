import { toldEvent, type PanelEvent } from '../../../shared/events.ts';
import { boundData, type DataBounds } from '../../../shared/plain-data.ts';
import type { ChainFact } from '../../../shared/restart-story.ts';
import type { FoundEnd } from './run-ends.ts';

/** Time after a wake of the machine within which a failure may have to do with it. */
export const WAKE_MS = 2 * 60_000;
/** Time for which an edit that restarts nothing is a sign. */
const EDIT_MS = 10 * 60_000;
/** Time before an end within which noise is a sign. */
const NOISE_MS = 10_000;

/** Bounds of a chain's facts, which are for reading: the activity has the whole events. */
const BOUNDS: DataBounds = {
  maxDepth: 3,
  maxEntries: 20,
  maxValues: 60,
  maxTextLength: 500,
  maxTotalLength: 4000,
  cutTexts: 'end',
};

/** Fields that the end has in fields of its own, or that are for the event's own page. */
const leftOut: ReadonlySet<string> = new Set([
  'stderrTail',
  'causeLines',
  'evidence',
  'calls',
  'callsTotal',
  'inUse',
]);

/** The chain from the first sign to what came of the end: events of the journal in their order, none twice. */
export function causeChain(end: FoundEnd): readonly ChainFact[] {
  const signs = signsOf(end);
  const facts: ChainFact[] = signs.map((event) => factOf(event, 'sign'));
  // An end that was only noticed later has no event of its own: the one that shows it came after.
  if (!end.isAtLatest) facts.push(factOf(end.event, 'end'));
  const after = end.isAtLatest ? [end.event, ...end.after] : end.after;
  facts.push(...unique(after).map((event) => factOf(event, 'after')));
  return facts;
}

/** What stood against the run when it ended: doubts that were not cleared, and what happened around it shortly before. */
function signsOf({ before, event, at, began }: FoundEnd): readonly PanelEvent[] {
  const standing = new Map<string, PanelEvent>();
  for (const sign of before) {
    for (const cleared of clearedBy(sign)) standing.delete(cleared);
    const key = doubtOf(sign, at, began);
    // The first event of a doubt is kept because it says since when; a stall is kept beside it because it is the verdict.
    if (key !== undefined && (sign.kind === 'stalled' || !standing.has(key) || isLatestCounts(sign)))
      standing.set(key, sign);
  }
  const chosen = new Set(standing.values());
  return before.filter((sign) => chosen.has(sign) && sign.id < event.id);
}

const limitKey = (limit: string | undefined): string => `limit ${limit ?? ''}`;

/** The doubts that an event is over with; none for most. */
function clearedBy(event: PanelEvent): readonly string[] {
  if (event.kind === 'recovered') return ['silence', 'stall'];
  return event.kind === 'limit-recovered' ? [limitKey(event.detail.limit)] : [];
}

/** The doubt that an event raises; undefined where it says nothing about an end at that time. */
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

/** Whether a later event of the same doubt takes the place of an earlier one. */
const isLatestCounts = ({ kind }: PanelEvent): boolean =>
  kind !== 'suspect' && kind !== 'limit-breached' && kind !== 'high-cpu';

function factOf({ id, at, kind, detail }: PanelEvent, role: ChainFact['role']): ChainFact {
  const told = Object.entries(detail).filter(([field]) => !leftOut.has(field));
  return { eventId: id, at, role, ...toldEvent(kind, boundData(Object.fromEntries(told), BOUNDS).value) };
}

const unique = (events: readonly PanelEvent[]): readonly PanelEvent[] => [
  ...new Map(events.map((event) => [event.id, event])).values(),
];

/** The version that the server gave of itself when the run began. */
export const versionOf = ({ began }: FoundEnd): string | undefined =>
  began?.detail.serverInfo?.version || undefined;
