import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { readNumber, readText } from './detail-fields.ts';
import { attemptWords, causeWords, exitWords } from './detail-words.ts';
import { formatSpan } from './durations.ts';
import { describeEvent, restartTitle, type EventWords } from './event-words.ts';
import type { LogEntry } from './incidents.ts';

/** What can be wrong, least telling first; the rest of an incident is what became of it. */
const causesByWeight: readonly EventKind[] = [
  'restart-scheduled',
  'suspect',
  'limit-breached',
  'start-failed',
  'stalled',
  'crashed',
];

/** The event that an entry is about: of an incident the gravest of what went wrong, and of several such the first. */
export function headlineOf({ events }: LogEntry): PanelEvent {
  const weightOf = ({ kind }: PanelEvent) => causesByWeight.indexOf(kind);
  const gravest = Math.max(...events.map(weightOf));
  // There is always one: an entry has at least one event.
  return events.find((event) => weightOf(event) === gravest)!;
}

/** A whole entry in one sentence: "crashed with exit code 1, restarted and running again after 3.2 s". */
export function describeEntry(entry: LogEntry): EventWords {
  const headline = headlineOf(entry);
  if (entry.events.length === 1) return describeEvent(headline);
  const { title, details } = causeOf(headline);
  const outcome = outcomeOf(entry, headline);
  const phrases = [title, outcome.title].filter((phrase) => phrase !== undefined);
  const all = [...(outcome.details ?? []), ...details];
  return {
    title: phrases.join(', '),
    details: all.filter((words) => words !== undefined && words !== '') as string[],
  };
}

interface Phrase {
  readonly title?: string | undefined;
  readonly details?: readonly (string | undefined)[];
}

function causeOf(headline: PanelEvent): Required<Phrase> {
  const { kind, detail } = headline;
  // What went wrong is older than what is remembered: the plan to mend it is all there is.
  if (kind === 'restart-scheduled') return { title: undefined, details: [causeWords(detail)] };
  const { title, details } = describeEvent(headline);
  const exit = kind === 'crashed' ? exitWords(detail) : undefined;
  if (exit === undefined) return { title, details };
  const isSignal = readText(detail, 'signal') !== undefined;
  return {
    title: isSignal ? `${title}, ${exit}` : `${title} with exit code ${readNumber(detail, 'exitCode')}`,
    details: details.filter((words) => words !== exit),
  };
}

function outcomeOf({ events, outcome }: LogEntry, headline: PanelEvent): Phrase {
  const last = events[events.length - 1]!;
  const after = `after ${formatSpan(last.at - headline.at)}`;
  const planned = events.findLast(({ kind }) => kind === 'restart-scheduled');
  const attempt = planned && attemptWords(planned.detail);
  switch (outcome) {
    case 'restarted':
      return { title: `restarted and running again ${after}`, details: [attempt] };
    case 'requested':
      return { title: `${last.kind === 'started' ? 'started' : 'restarted'} on request ${after}` };
    case 'recovered':
      return { title: last.kind === 'recovered' ? `answers again ${after}` : `back under it ${after}` };
    case 'gave-up':
      return { title: 'gave up', details: [readText(last.detail, 'reason')] };
    case 'stopped':
      return { title: `stopped ${after}` };
    default:
      return planned === undefined ? {} : { title: restartTitle(planned.detail), details: [attempt] };
  }
}
