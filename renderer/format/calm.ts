import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { formatDuration } from './durations.ts';
import { formatPlural } from './figures.ts';
import { headlineOf } from './incident-words.ts';
import { groupIncidents } from './incidents.ts';
import { limitTitle } from './limit-words.ts';
import { formatHourMinute } from './moments.ts';

const HOUR_MS = 3_600_000;

/** Moment from which all was well. */
export interface Calm {
  readonly since: number;
  /** What happened then: "browser crashed", or "the panel started". */
  readonly what: string;
}

/**
 * Moment of the last trouble, or of the panel's start where that was later, because nobody watched before.
 * Undefined where the remembered events tell of neither.
 */
export function calmSince(events: readonly PanelEvent[]): Calm | undefined {
  const start = events.findLast(({ kind }) => kind === 'panel-started');
  const trouble = groupIncidents(events)
    .filter(({ outcome }) => outcome !== undefined)
    .map((entry) => ({ since: entry.events.at(-1)!.at, headline: headlineOf(entry) }))
    // A restart that someone asked for is no trouble.
    .filter(({ headline }) => headline.kind !== 'ended')
    .toSorted((a, b) => b.since - a.since)[0];
  if (trouble !== undefined && trouble.since >= (start?.at ?? -Infinity)) {
    return { since: trouble.since, what: pastOf(trouble.headline) };
  }
  return start === undefined ? undefined : { since: start.at, what: 'the panel started' };
}

/** Trouble as something past: "browser crashed". */
function pastOf({ server, kind, detail }: PanelEvent): string {
  const past =
    kind === 'limit-breached' ? `was ${limitTitle(detail, 'over')}` : (pasts[kind] ?? 'had trouble');
  return `${server ?? 'a server'} ${past}`;
}

const pasts: Partial<Record<EventKind, string>> = {
  crashed: 'crashed',
  stalled: 'did not respond',
  'start-failed': 'did not start',
  suspect: 'was suspect',
  'restart-scheduled': 'was restarted',
};

/** Words: "No trouble for 2 h 10 m, since browser crashed at 18:02". */
export function calmWords(calm: Calm, now: number): string {
  const forMs = Math.max(0, now - calm.since);
  return `No trouble for ${formatDuration(forMs)}, since ${calm.what} at ${formatHourMinute(calm.since)}`;
}

/** Words on the automatic restarts of the last hour: "2 restarts in the last hour". */
export function restartWords(events: readonly PanelEvent[], now: number): string {
  const restarts = events.filter(({ kind, at }) => kind === 'restarted' && at > now - HOUR_MS).length;
  return `${restarts === 0 ? 'No restarts' : formatPlural(restarts, 'restart')} in the last hour`;
}
