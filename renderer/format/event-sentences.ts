import type { EventDetail, EventKind } from '../../shared/events.ts';
import type { StateKind } from '../../shared/server-states.ts';
import { withoutEdges } from '../../shared/text-edges.ts';
import { formatSpan } from './durations.ts';
import { formatCount, formatPlural } from './figures.ts';
import { toPlainText } from './plain-text.ts';

/**
 * Shape and colour of an event's mark. It is that of the state to which the event leads; `cause` for an event outside the
 * servers that may have caused another event; or `note`, a plain dot, for an event that changes no state.
 */
export type MarkKind = StateKind | 'cause' | 'note';

/** Text, or undefined if nothing is known. */
export type Phrase = string | undefined;

/** One fact about an event, in one or more lines. */
export interface EventFact {
  readonly term: string;
  readonly lines: readonly string[];
}

/** Details that do not fit into the single line of an event. */
export interface EventFacts {
  readonly facts?: readonly (EventFact | undefined)[];
  /** Output of the server, unchanged. */
  readonly output?: Phrase;
  readonly outputTerm?: string;
  readonly advice?: Phrase;
}

/** All texts for events of one kind: for lists, charts, tooltips and details. */
export interface EventSentences<K extends EventKind> {
  /** General name of the kind, as in a filter. */
  readonly name: string;
  readonly mark: MarkKind;
  /** Text that follows the subject: a title of two or three words, then details, the most important first. */
  readonly say: (detail: EventDetail<K>) => readonly [title: string, ...details: Phrase[]];
  readonly tell?: (detail: EventDetail<K>) => EventFacts;
}

export type SentencesOf<Kinds extends EventKind> = { readonly [K in Kinds]: EventSentences<K> };

const LONGEST_EXCERPT = 160;

/** Trims a text; undefined if nothing is left. */
export const said = (text: Phrase): Phrase => text?.trim() || undefined;

/** Puts text of the server in quotation marks. */
export const quote = (text: string): string => `"${withoutEdges(text, '"')}"`;

export function cutExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT - 1)}…`;
}

export const excerptOf = (text: Phrase): Phrase => {
  const words = said(text);
  return words === undefined ? undefined : quote(cutExcerpt(words));
};

/** Returns the lines as plain text, without empty lines at the beginning and the end; undefined if no line is left. */
export function rawText(text: Phrase): Phrase {
  const lines = (text ?? '').split(/\r?\n/).map(toPlainText);
  const isSaid = (line: string) => line.trim() !== '';
  const kept = lines.slice(lines.findIndex(isSaid), lines.findLastIndex(isSaid) + 1).join('\n');
  return kept === '' ? undefined : kept;
}

export const span = (label: string, ms: number | undefined): Phrase =>
  ms === undefined ? undefined : `${label} ${formatSpan(ms)}`;

export const countOf = (count: number | undefined, noun: string): Phrase =>
  count === undefined ? undefined : formatPlural(count, noun);

/** Number of occurrences as text: `7 times`; undefined for 1. */
export const timesOf = (count = 1): Phrase => (count > 1 ? formatPlural(count, 'time') : undefined);

export const prefixed = (word: string, text: Phrase): Phrase => {
  const words = said(text);
  return words === undefined ? undefined : `${word} ${words}`;
};

export const fact = (term: string, words: Phrase): EventFact | undefined =>
  words === undefined ? undefined : { term, lines: [words] };

export const numberOf = (value: number | undefined): Phrase =>
  value === undefined ? undefined : formatCount(value);

type Calls = EventDetail<'crashed'>['calls'];

/** Text about the calls that were cut off when a run ended; undefined if there were none. */
export function lostCallsWords(calls: Calls = []): Phrase {
  const lost = calls.filter(({ isGivenUp, by }) => isGivenUp !== true && by !== 'panel');
  if (lost.length === 0) return undefined;
  const targets = [...new Set(lost.map(({ target, method = '' }) => target ?? method))];
  return `${formatPlural(lost.length, 'call')} lost: ${cutExcerpt(targets.join(', '))}`;
}

/** Fact that lists the calls that were waiting for an answer, by name and age; undefined if the event has no data on calls. */
export function callsFact(calls: Calls): EventFact | undefined {
  const lines = calls?.map(({ method, target, ageMs, client }) => {
    const what = [method, target, client && `of ${client}`].filter(Boolean).join(' ');
    return ageMs === undefined ? what : `${what}, for ${formatSpan(ageMs)}`;
  });
  return lines && { term: 'Calls in flight', lines: lines.length === 0 ? ['none'] : lines };
}
