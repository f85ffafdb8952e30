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

/** Causes of incidents, least severe first. All other events of an incident are consequences of its cause. */
const causesByWeight: readonly EventKind[] = [
  'ended',
  'restart-scheduled',
  'suspect',
  'limit-breached',
  'start-failed',
  'stalled',
  'crashed',
];

/** Returns the event that represents an entry: the most severe cause of an incident, or the first of equally severe ones. */
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

/** Returns the details of an entry's headline, with advice on its outcome; undefined if the entry's line says everything. */
export function tellEntry(entry: LogEntry): EventStory | undefined {
  const story = tellEvent(headlineOf(entry));
  if (entry.events.length === 1) return story;
  const end = entry.events.findLast(({ kind }) => kind === 'gave-up');
  const advice = (end && tellEvent(end)?.advice) ?? story?.advice;
  return { facts: [], ...story, ...(advice !== undefined && { advice }) };
}

/** Text for several entries that have the same text: "crashed with exit code 1, running again". */
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

/** Outcomes of folded incidents as text, without a duration because each incident has its own. */
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
  // The cause is older than the loaded events, so only the planned restart is known.
  if (headline.kind === 'restart-scheduled')
    return { title: undefined, details: [causeWords(headline.detail.cause)] };
  // No title is needed here, because the outcome becomes the title.
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
  // The number of planned restarts does not show how many failures there were, so no count is given.
  if (headline.kind === 'restart-scheduled') return causeOf(last);
  const { title, details } = predicateOf(last);
  const count = `${formatCount(again.length)} times in ${formatSpan(last.at - headline.at)}`;
  return { title: `${title} ${count}`, details };
}

/** @param isRepeated true if the event in the headline occurred more than once */
function outcomeOf(entry: LogEntry, headline: PanelEvent, isRepeated: boolean): Words {
  const { events, outcome } = entry;
  const last = latestOf(entry);
  // A replica is never restarted, so no text is needed for these outcomes.
  if (last.detail.instance !== undefined && (outcome === 'gave-up' || outcome === 'stopped')) return {};
  const after = isRepeated ? '' : ` after ${formatSpan(last.at - headline.at)}`;
  const planned = plannedLast(events);
  const attempt = planned && attemptWords(planned.detail);
  switch (outcome) {
    case 'restarted':
      // The number of attempts is left out if the first was enough, because it adds no information.
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

/** Returns the last planned restart that was neither carried out nor given up; undefined if there is none. */
function plannedLast(events: readonly PanelEvent[]) {
  const before = events.slice(0, -1).findLastIndex(({ kind }) => kind === 'restarted' || kind === 'gave-up');
  return events.slice(before + 1).findLast((event) => event.kind === 'restart-scheduled');
}
