import type { PanelEvent } from '../../shared/domain.ts';
import { readNumber, readText } from './detail-fields.ts';

/** How an incident ended; `open`: it has not, as far as the events tell. */
export type Outcome = 'open' | 'restarted' | 'requested' | 'recovered' | 'gave-up' | 'stopped' | 'unknown';

/** One row of a log: an event by itself, or all that followed from one cause. */
export interface LogEntry {
  /** Of its first event. */
  readonly id: string;
  /** Oldest first, never empty, all of one server. */
  readonly events: readonly PanelEvent[];
  /** Undefined for an event that is part of no incident. */
  readonly outcome?: Outcome;
}

/** Whether two entries say the same: one that has the same first event differs by what came behind it only. */
export const isSameEntry = (one: LogEntry, other: LogEntry): boolean =>
  one.id === other.id && one.events.length === other.events.length && one.outcome === other.outcome;

/**
 * What an incident waits for:
 *
 *   doubted ──(crash)──→ down ──(schedule)──→ waiting ──(up, stop, give-up)──→ closed
 *     │  └─────────────(schedule)───────────────↑  │
 *     │                   ↑──────(failed start)────┘
 *     └──(answers again, back under the limit, up, stop, give-up)──→ closed
 */
type Phase = 'doubted' | 'down' | 'waiting';

interface Incident {
  readonly id: string;
  readonly events: PanelEvent[];
  phase: Phase;
  /** What is wrong with the running server: its silence, or a limit that it is over. */
  readonly doubts: Set<string>;
  outcome: Outcome;
}

const SILENCE = 'silence';

/**
 * Puts the events of one cause into one entry: a crash, stall, limit breach or failed start with the restarts that
 * follow, until the server is up again or given up. Events come oldest first, of any number of servers; entries come
 * in the order of their first events. More events at the end only ever lengthen entries or add some.
 */
export function groupIncidents(events: readonly PanelEvent[]): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  const open = new Map<string, Incident>();
  for (const event of events) {
    if (endsEverything(event)) {
      for (const incident of open.values()) incident.outcome = 'unknown';
      open.clear();
    }
    const key = keyOf(event);
    const current = open.get(key);
    if (current !== undefined && takes(current, event)) {
      current.events.push(event);
      if (current.outcome !== 'open') open.delete(key);
      continue;
    }
    const begun = begin(event);
    if (begun !== undefined || displaces(event)) {
      if (current !== undefined) current.outcome = 'unknown';
      open.delete(key);
    }
    if (begun !== undefined) open.set(key, begun);
    entries.push(begun ?? { id: event.id, events: [event] });
  }
  return entries;
}

/** No server goes through these: what comes after is another launch. */
const endsEverything = ({ kind }: PanelEvent): boolean => kind === 'panel-started' || kind === 'panel-quit';

/** A further process of a server has incidents of its own. */
const keyOf = ({ server, detail }: PanelEvent): string =>
  `${server ?? ''} ${readText(detail, 'instance') ?? ''}`;

function begin(event: PanelEvent): Incident | undefined {
  const incident = (phase: Phase, doubts: readonly string[] = []): Incident => ({
    id: event.id,
    events: [event],
    phase,
    doubts: new Set(doubts),
    outcome: 'open',
  });
  switch (event.kind) {
    case 'suspect':
    case 'stalled':
      return incident('doubted', [SILENCE]);
    case 'limit-breached':
      return incident('doubted', [limitOf(event)]);
    case 'crashed':
    case 'start-failed':
      return incident('down');
    // Its cause is older than what is remembered.
    case 'restart-scheduled':
      return incident('waiting');
    default:
      return undefined;
  }
}

/** The server is up by another way than the incident knows of, or gone for good. */
const displaces = ({ kind, detail }: PanelEvent): boolean =>
  kind === 'started' || (kind === 'config-changed' && detail['change'] === 'removed');

/** Moves the incident to where the event leads; false when the event has nothing to do with it. */
function takes(incident: Incident, event: PanelEvent): boolean {
  switch (event.kind) {
    case 'suspect':
    case 'stalled':
    case 'limit-breached':
      return doubts(incident, event);
    case 'recovered':
      return settles(incident, SILENCE);
    case 'limit-recovered':
      return settles(incident, limitOf(event));
    case 'crashed':
      return incident.phase === 'doubted' && moveTo(incident, 'down');
    case 'start-failed':
      return incident.phase === 'waiting' && moveTo(incident, 'down');
    case 'restart-scheduled':
      return moveTo(incident, 'waiting');
    case 'force-killed':
      return true;
    case 'restarted':
      // A start that somebody asked for counts no attempt.
      return close(incident, readNumber(event.detail, 'attempt') === undefined ? 'requested' : 'restarted');
    case 'started':
      return incident.phase !== 'doubted' && close(incident, 'requested');
    case 'gave-up':
      return close(incident, 'gave-up');
    case 'stopped':
      return close(incident, 'stopped');
    default:
      return false;
  }
}

/** One doubt leads to the next: over its memory limit, then suspect, then not responding. */
function doubts({ phase, doubts: known, events }: Incident, event: PanelEvent): boolean {
  if (phase !== 'doubted') return false;
  const doubt = event.kind === 'limit-breached' ? limitOf(event) : SILENCE;
  const grows = event.kind === 'stalled' && events.every(({ kind }) => kind !== 'stalled');
  if (known.has(doubt) && !grows) return false;
  known.add(doubt);
  return true;
}

function settles(incident: Incident, doubt: string): boolean {
  if (incident.phase !== 'doubted' || !incident.doubts.delete(doubt)) return false;
  return incident.doubts.size > 0 || close(incident, 'recovered');
}

const limitOf = ({ detail }: PanelEvent): string => `limit ${readText(detail, 'limit') ?? ''}`;

function moveTo(incident: Incident, phase: Phase): true {
  incident.phase = phase;
  return true;
}

function close(incident: Incident, outcome: Outcome): true {
  incident.outcome = outcome;
  return true;
}
