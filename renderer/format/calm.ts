import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { formatDuration } from './durations.ts';
import { formatPlural } from './figures.ts';
import { headlineOf } from './incident-words.ts';
import { groupIncidents, latestOf } from './incidents.ts';
import { limitTitle } from './limit-sentences.ts';
import { formatDate, formatDay, formatHourMinute } from './moments.ts';
import { HOUR_MS } from '../../shared/units.ts';

/** Start of the time without problems. */
export interface Calm {
  readonly since: number;
  /** Last problem: "browser crashed". If undefined, no problem is known and `since` is the time of the oldest event. */
  readonly what?: string;
}

/** Kinds of events that begin a problem. */
export const troubleKinds: readonly EventKind[] = [
  'crashed',
  'stalled',
  'start-failed',
  'suspect',
  'restart-scheduled',
  'limit-breached',
];

/** Returns the end of the last problem, of this app run or an earlier one; undefined if the events contain no problem. */
export function lastTrouble(events: readonly PanelEvent[]): Calm | undefined {
  const [trouble] = groupIncidents(events)
    .filter(({ outcome }) => outcome !== undefined)
    .map((entry) => ({ since: latestOf(entry).at, headline: headlineOf(entry) }))
    // A restart on request is not a problem.
    .filter(({ headline }) => headline.kind !== 'ended')
    .toSorted((a, b) => b.since - a.since);
  return trouble && { since: trouble.since, what: pastOf(trouble.headline) };
}

/** Text about a problem in the past tense: "browser crashed". */
function pastOf({ server, kind, detail }: PanelEvent): string {
  const past =
    kind === 'limit-breached' ? `was ${limitTitle(detail, 'over')}` : (pasts[kind] ?? 'had trouble');
  return `${server ?? 'a server'} ${past}`;
}

const pasts: Partial<Record<EventKind, string>> = {
  crashed: 'crashed',
  stalled: 'did not respond',
  'start-failed': 'failed to start',
  suspect: 'was suspect',
  'restart-scheduled': 'was restarted',
};

/** Text such as "No problems for 2 h 10 m, since browser crashed at 18:02", or "No problems in the last 12 d". */
export function calmWords({ since, what }: Calm, now: number): string {
  const span = formatDuration(Math.max(0, now - since));
  if (what === undefined) return `No problems in the last ${span}`;
  const day = formatDay(since) === formatDay(now) ? '' : ` on ${formatDate(since)}`;
  return `No problems for ${span}, since ${what}${day} at ${formatHourMinute(since)}`;
}

/** Text about the automatic restarts of the last hour: "2 restarts in the last hour". */
export function restartWords(events: readonly PanelEvent[], now: number): string {
  const restarts = events.filter(({ kind, at }) => kind === 'restarted' && at > now - HOUR_MS).length;
  return `${restarts === 0 ? 'No restarts' : formatPlural(restarts, 'restart')} in the last hour`;
}
