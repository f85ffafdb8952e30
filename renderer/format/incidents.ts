import type { EventKind, PanelEvent, ToldEvent } from '../../shared/events.ts';

/** Outcome of an incident so far; `open` while no event ends it. */
export type Outcome = 'open' | 'restarted' | 'requested' | 'recovered' | 'gave-up' | 'stopped' | 'unknown';

/** Row of a log: a single event, or all events with one cause. */
export interface LogEntry {
  /** Id of the first event. */
  readonly id: string;
  /** Events, oldest first, all of one server. */
  readonly events: readonly [PanelEvent, ...PanelEvent[]];
  /** Outcome; undefined for a single event that is not part of an incident. */
  readonly outcome?: Outcome;
}

/** Latest event of an entry. */
export const latestOf = ({ events }: LogEntry): PanelEvent => events.at(-1) ?? events[0];

/** True if two entries are equal. Entries with the same first event can differ only in later events. */
export const isSameEntry = (one: LogEntry, other: LogEntry): boolean =>
  one.id === other.id && one.events.length === other.events.length && one.outcome === other.outcome;

/**
 * Phase of an incident, which decides the events that may follow:
 *
 *   doubted ──(crash)──→ down ──(schedule)──→ waiting ──(give-up)──→ given up
 *     │  │ ↑              │ ↑                  │  │                    │  │
 *     │  │ │              │ └──(failed start)──┘  │                    │  │
 *     │  │ │ (the same    ↑ (the same again)      │                    │  │
 *     │  │ └──again)── settling ←───(up again)────┴──(slow retry)──────┘  │
 *     │  └─(schedule)→ waiting                                            │
 *     └──(answers again, back under the limit, stop)──→ closed            └──(its start fails)──→ down
 *
 * Settling ends with a stable run. Another cause, or a user's command, closes the incident.
 */
type Phase = 'doubted' | 'down' | 'waiting' | 'settling' | 'given-up' | 'closed';

interface Incident {
  readonly id: string;
  readonly events: [PanelEvent, ...PanelEvent[]];
  phase: Phase;
  /** Causes of the incident so far. */
  readonly causes: Set<string>;
  /** Doubts about the running server: its silence, or a limit that is exceeded. */
  readonly doubts: Set<string>;
  /** Time from which the run counts as stable. A cause that occurs later begins another incident. */
  settledAt: number;
  outcome: Outcome;
}

const SILENCE = 'silence';
/** Default in ms of the setting for a stable run, used if the events of a run do not contain the value. */
const STABLE_AFTER_MS = 60_000;

/**
 * Groups events with one cause into one entry: a crash, stall, limit breach or failed start, the restarts that follow, and
 * their repetitions until the server has run stably. The events are given oldest first and may be of any number of servers.
 * Entries are in the order of their first events. Further events only extend entries or add new ones.
 */
export function groupIncidents(events: readonly PanelEvent[]): readonly LogEntry[] {
  const entries: LogEntry[] = [];
  const current = new Map<string, Incident>();
  for (const event of events) {
    if (endsEverything(event)) {
      for (const incident of current.values()) abandon(incident);
      current.clear();
    }
    const key = keyOf(event);
    const incident = current.get(key);
    if (incident !== undefined && takes(incident, event)) {
      incident.events.push(event);
      if (incident.phase === 'closed') current.delete(key);
      continue;
    }
    const begun = begin(event);
    if (begun !== undefined || displaces(event)) {
      if (incident !== undefined) abandon(incident);
      current.delete(key);
    }
    if (begun !== undefined) current.set(key, begun);
    entries.push(begun ?? { id: event.id, events: [event] });
  }
  return entries;
}

/** Ends an incident that gets no further events; an open outcome becomes `unknown`. */
function abandon(incident: Incident): void {
  if (incident.outcome === 'open') incident.outcome = 'unknown';
}

/** True if an event ends all incidents, because later events belong to another app run. */
const endsEverything = ({ kind }: PanelEvent): boolean => kind === 'panel-started' || kind === 'panel-quit';

/** Key of the process that an event is about. Each replica has its own key, because it has its own incidents. */
const keyOf = ({ server, detail }: PanelEvent): string => `${server ?? ''} ${detail.instance ?? ''}`;

function begin(event: PanelEvent): Incident | undefined {
  const phase = firstPhase[event.kind];
  if (phase === undefined) return undefined;
  const cause = causeOf(event);
  return {
    id: event.id,
    events: [event],
    phase,
    causes: new Set(cause === undefined ? [] : [cause]),
    doubts: new Set(cause === undefined || phase !== 'doubted' ? [] : [cause]),
    settledAt: 0,
    outcome: 'open',
  };
}

const firstPhase: Partial<Record<EventKind, Phase>> = {
  suspect: 'doubted',
  stalled: 'doubted',
  'limit-breached': 'doubted',
  crashed: 'down',
  'start-failed': 'down',
  // Begins an incident only if its cause is older than the loaded events.
  'restart-scheduled': 'waiting',
  // Begins a restart on request, an incident that ends when the server is up again.
  ended: 'waiting',
};

function causeOf(event: PanelEvent): string | undefined {
  switch (event.kind) {
    case 'suspect':
    case 'stalled':
      return SILENCE;
    case 'limit-breached':
      return limitText(event);
    case 'crashed':
    case 'start-failed':
      return event.kind;
    default:
      return undefined;
  }
}

/** True if an event ends an incident without being part of it: the server came up in another way, was stopped, or was removed. */
const displaces = ({ kind, detail }: PanelEvent): boolean =>
  kind === 'started' ||
  kind === 'restarted' ||
  kind === 'stopped' ||
  kind === 'slept' ||
  (kind === 'config-changed' && detail.change === 'removed');

/** Moves the incident to its next phase; returns false if the event is not part of the incident. */
function takes(incident: Incident, event: PanelEvent): boolean {
  switch (incident.phase) {
    case 'settling':
      return resumes(incident, event);
    case 'given-up':
      return triesAgain(incident, event);
    default:
      return continues(incident, event);
  }
}

function continues(incident: Incident, event: PanelEvent): boolean {
  switch (event.kind) {
    case 'suspect':
    case 'stalled':
    case 'limit-breached':
      return doubts(incident, event);
    case 'recovered':
      return settles(incident, SILENCE);
    case 'limit-recovered':
      return settles(incident, limitText(event));
    case 'crashed':
      return incident.phase === 'doubted' && fails(incident, event);
    case 'start-failed':
      return incident.phase === 'waiting' && fails(incident, event);
    case 'restart-scheduled':
      return moveTo(incident, 'waiting');
    case 'force-killed':
    case 'ended':
      return true;
    case 'restarted':
      // A start on request has no attempt number.
      return isAutomatic(event) ? comesUp(incident, event) : close(incident, 'requested');
    case 'started':
      // A replica is never restarted, so a process that starts later is a different one with the same name.
      return (
        incident.phase !== 'doubted' && event.detail.instance === undefined && close(incident, 'requested')
      );
    case 'gave-up':
      return moveTo(incident, 'given-up', 'gave-up');
    case 'stopped':
      return close(incident, 'stopped');
    default:
      return false;
  }
}

const isAutomatic = ({ detail }: PanelEvent): boolean => 'attempt' in detail && detail.attempt !== undefined;

/** Continues the incident if the same cause occurs again before the run is stable; returns false otherwise. */
function resumes(incident: Incident, event: PanelEvent): boolean {
  const cause = causeOf(event);
  if (cause === undefined || !incident.causes.has(cause) || event.at >= incident.settledAt) return false;
  if (event.kind === 'crashed') return fails(incident, event);
  moveTo(incident, 'doubted', 'open');
  return doubts(incident, event);
}

/**
 * Continues the incident with the slow retries after the panel gave up. Returns false for other events, such as a start on
 * request, which has no attempt number.
 */
function triesAgain(incident: Incident, event: PanelEvent): boolean {
  // If the panel gives up again, the event joins the entry, so that the retries before it appear only as a number.
  if (event.kind === 'gave-up') return moveTo(incident, 'given-up', 'gave-up');
  if (!isAutomatic(event)) return false;
  if (event.kind === 'restarted') return comesUp(incident, event);
  return event.kind === 'start-failed' && fails(incident, event);
}

function comesUp(incident: Incident, { at, detail }: PanelEvent & ToldEvent<'restarted'>): true {
  incident.doubts.clear();
  incident.settledAt = at + (detail.stableAfterMs ?? STABLE_AFTER_MS);
  return moveTo(incident, 'settling', 'restarted');
}

function fails(incident: Incident, { kind }: PanelEvent): true {
  incident.causes.add(kind);
  return moveTo(incident, 'down', 'open');
}

/**
 * Adds the event if it is a further sign that the server is in trouble, for example first over its memory limit, then suspect,
 * then not responding; returns false otherwise.
 */
function doubts({ phase, causes, doubts: known, events }: Incident, event: PanelEvent): boolean {
  const doubt = causeOf(event);
  if (phase !== 'doubted' || doubt === undefined) return false;
  const sinceUp = events.slice(events.findLastIndex(({ kind }) => kind === 'restarted') + 1);
  const grows = event.kind === 'stalled' && sinceUp.every(({ kind }) => kind !== 'stalled');
  if (known.has(doubt) && !grows) return false;
  known.add(doubt);
  causes.add(doubt);
  return true;
}

function settles(incident: Incident, doubt: string): boolean {
  if (incident.phase !== 'doubted' || !incident.doubts.delete(doubt)) return false;
  return incident.doubts.size > 0 || close(incident, 'recovered');
}

/** Key of the limit that an event is about. */
export const limitText = ({ detail }: PanelEvent): string =>
  `limit ${('limit' in detail && detail.limit) || ''}`;

function moveTo(incident: Incident, phase: Phase, outcome: Outcome = incident.outcome): true {
  incident.phase = phase;
  incident.outcome = outcome;
  return true;
}

const close = (incident: Incident, outcome: Outcome): true => moveTo(incident, 'closed', outcome);
