import type { EventKind, PanelEvent } from '../../shared/events.ts';
import { lostCallsWords, type Phrase, said } from './event-sentences.ts';
import { formatSpan } from './durations.ts';
import {
  describeEvent,
  predicateOf,
  tellEvent,
  withSubject,
  type EventStory,
  type EventWords,
} from './event-words.ts';
import { formatCount } from './figures.ts';
import { latestOf, limitText, type LogEntry, type Outcome } from './incidents.ts';
import { recoveredText } from './verdict-sentences.ts';
import { attemptWords, causeWords, exitWords, restartTitle } from './run-sentences.ts';

/** Causes of incidents, least severe first. The other events of an incident are consequences. */
const causesByWeight: readonly EventKind[] = [
  'ended',
  'restart-scheduled',
  'suspect',
  'limit-breached',
  'start-failed',
  'stalled',
  'crashed',
];

/** Event that names an entry: the most severe cause of an incident, and the first of several such. */
export function headlineOf({ events }: LogEntry): PanelEvent {
  const weightOf = ({ kind }: PanelEvent) => causesByWeight.indexOf(kind);
  const gravest = Math.max(...events.map(weightOf));
  return events.find((event) => weightOf(event) === gravest) ?? events[0];
}

/** Text for a whole entry in one sentence: "crashed 4 times in 7 s, gave up". */
export function describeEntry(entry: LogEntry): EventWords {
  const headline = headlineOf(entry);
  if (entry.events.length === 1) return describeEvent(headline);
  const again = entry.events.filter((event) => isSameAs(headline, event));
  const { title, details } = again.length > 1 ? causeOfMany(headline, again) : causeOf(headline);
  const outcome = outcomeOf(entry, headline, again.length > 1);
  const phrases = [title, outcome.title].filter((phrase) => phrase !== undefined);
  const all = [...(outcome.details ?? []), ...details];
  return withSubject(headline, {
    title: phrases.length === 0 ? predicateOf(headline).title : phrases.join(', '),
    details: all.filter((words) => words !== undefined && words !== '') as string[],
  });
}

/** Details of an entry's headline, with advice about its outcome; undefined if its line contains everything. */
export function tellEntry(entry: LogEntry): EventStory | undefined {
  const story = tellEvent(headlineOf(entry));
  if (entry.events.length === 1) return story;
  const end = entry.events.findLast(({ kind }) => kind === 'gave-up');
  const advice = (end && tellEvent(end)?.advice) ?? story?.advice;
  return { facts: [], ...story, ...(advice !== undefined && { advice }) };
}

/** Text for entries that have the same text: "crashed with exit code 1, running again". */
export function describeFold(entries: readonly [LogEntry, ...LogEntry[]], servers: number): string {
  const [entry] = entries;
  const headline = headlineOf(entry);
  const causes = new Set(entries.map((each) => causeOf(headlineOf(each)).title));
  const cause = causes.size === 1 ? [...causes][0] : predicateOf(headline).title;
  const times = entries.length > servers ? ` ${formatCount(entries.length)} times` : '';
  const outcome = entry.outcome && foldedOutcomes[entry.outcome];
  return [cause === undefined ? undefined : `${cause}${times}`, outcome]
    .filter((phrase) => phrase !== undefined)
    .join(', ');
}

/** Outcomes of several incidents, without a duration because each incident has its own. */
const foldedOutcomes: Partial<Record<Outcome, string>> = {
  restarted: 'running again',
  requested: 'started on request',
  recovered: 'well again',
  'gave-up': 'gave up',
  stopped: 'stopped',
};

const isSameAs = (one: PanelEvent, other: PanelEvent): boolean =>
  one.kind === other.kind && limitText(one) === limitText(other);

interface Words {
  readonly title?: Phrase;
  readonly details?: readonly Phrase[];
}

function causeOf(headline: PanelEvent): Required<Words> {
  // The cause is older than the loaded events, so the planned restart is all that is known.
  if (headline.kind === 'restart-scheduled')
    return { title: undefined, details: [causeWords(headline.detail.cause)] };
  // The outcome is the title.
  if (headline.kind === 'ended')
    return { title: undefined, details: [lostCallsWords(headline.detail.calls)] };
  const { title, details } = predicateOf(headline);
  const exit = headline.kind === 'crashed' ? exitWords(headline.detail) : undefined;
  if (headline.kind !== 'crashed' || exit === undefined) return { title, details };
  const { signal, exitCode } = headline.detail;
  return {
    title: signal ? `${title}, ${exit}` : `${title} with exit code ${exitCode}`,
    details: details.filter((words) => words !== exit),
  };
}

/**
 * Text for a cause that occurred more than once.
 * @param again all events of the headline's kind
 */
function causeOfMany(headline: PanelEvent, again: readonly PanelEvent[]): Required<Words> {
  const last = again.at(-1) ?? headline;
  // Planned restarts do not show how many failures there were.
  if (headline.kind === 'restart-scheduled') return causeOf(last);
  const { title, details } = predicateOf(last);
  const count = `${formatCount(again.length)} times in ${formatSpan(last.at - headline.at)}`;
  return { title: `${title} ${count}`, details };
}

/** @param isRepeated whether what the headline tells occurred more than once */
function outcomeOf(entry: LogEntry, headline: PanelEvent, isRepeated: boolean): Words {
  const { events, outcome } = entry;
  const last = latestOf(entry);
  // A replica is never restarted, so these outcomes need no text.
  if (last.detail.instance !== undefined && (outcome === 'gave-up' || outcome === 'stopped')) return {};
  const after = isRepeated ? '' : ` after ${formatSpan(last.at - headline.at)}`;
  const planned = plannedLast(events);
  const attempt = planned && attemptWords(planned.detail);
  switch (outcome) {
    case 'restarted':
      // That the first attempt was enough says nothing.
      return {
        title: isRepeated ? 'running again' : `back${after}`,
        details: planned?.detail.attempt === 1 ? [] : [attempt],
      };
    case 'requested':
      return { title: `${last.kind === 'started' ? 'started' : 'restarted'} on request${after}` };
    case 'recovered':
      return {
        title: last.kind === 'recovered' ? `${recoveredText(last.detail)}${after}` : `back under it${after}`,
      };
    case 'gave-up':
      return { title: 'gave up', details: [last.kind === 'gave-up' ? said(last.detail.reason) : undefined] };
    case 'stopped':
      return { title: `stopped${after}` };
    default:
      return planned === undefined ? {} : { title: restartTitle(planned.detail), details: [attempt] };
  }
}

/** Planned restart that was neither carried out nor given up; undefined if there is none. */
function plannedLast(events: readonly PanelEvent[]) {
  const before = events.slice(0, -1).findLastIndex(({ kind }) => kind === 'restarted' || kind === 'gave-up');
  return events.slice(before + 1).findLast((event) => event.kind === 'restart-scheduled');
}
