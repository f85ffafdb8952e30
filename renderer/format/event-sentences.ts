import type { EventDetail, EventKind } from '../../shared/events.ts';
import type { StateKind } from '../../shared/server-states.ts';
import { withoutEdges } from '../../shared/text-edges.ts';
import { formatSpan } from './durations.ts';
import { formatCount, formatPlural } from './figures.ts';
import { toPlainText } from './plain-text.ts';

/**
 * Shape and colour of an event: those of the state that it leads to; `cause` for an event outside the servers that may be the
 * cause of another event; or a plain dot, `note`, for an event that changes no state.
 */
export type MarkKind = StateKind | 'cause' | 'note';

/** Text, or undefined if nothing is known. */
export type Phrase = string | undefined;

/** One fact about an event, in one or a few lines. */
export interface EventFact {
  readonly term: string;
  readonly lines: readonly string[];
}

/** Details that do not fit into the line of an event. */
export interface EventFacts {
  readonly facts?: readonly (EventFact | undefined)[];
  /** Output of the server, unchanged. */
  readonly output?: Phrase;
  readonly outputTerm?: string;
  readonly advice?: Phrase;
}

/** All texts for events of one kind, in lists, charts, tooltips and details. */
export interface EventSentences<K extends EventKind> {
  /** Name of the kind in general, as in a filter. */
  readonly name: string;
  readonly mark: MarkKind;
  /** Words that follow the subject: a title of two or three words, then details, the most important first. */
  readonly say: (detail: EventDetail<K>) => readonly [title: string, ...details: Phrase[]];
  readonly tell?: (detail: EventDetail<K>) => EventFacts;
}

export type SentencesOf<Kinds extends EventKind> = { readonly [K in Kinds]: EventSentences<K> };

const LONGEST_EXCERPT = 160;

/** Text without surrounding white space; undefined if that is empty. */
export const said = (text: Phrase): Phrase => text?.trim() || undefined;

/** Text in quotation marks, for the server's own words. */
export const quote = (text: string): string => `"${withoutEdges(text, '"')}"`;

export function cutExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT - 1)}…`;
}

export const excerptOf = (text: Phrase): Phrase => {
  const words = said(text);
  return words === undefined ? undefined : quote(cutExcerpt(words));
};

/** Lines unchanged, without empty ones at the beginning and the end; undefined if none is left. */
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

/** Number of times: `7 times`; undefined for 1. */
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

/** Text on the calls that the end of a run cut off; undefined if there were none. */
export function lostCallsWords(calls: Calls = []): Phrase {
  const lost = calls.filter(({ isGivenUp, by }) => isGivenUp !== true && by !== 'panel');
  if (lost.length === 0) return undefined;
  const targets = [...new Set(lost.map(({ target, method = '' }) => target ?? method))];
  return `${formatPlural(lost.length, 'call')} lost: ${cutExcerpt(targets.join(', '))}`;
}

/** Calls that were waiting for an answer, by name and age; undefined if the event has no data on calls. */
export function callsFact(calls: Calls): EventFact | undefined {
  const lines = calls?.map(({ method, target, ageMs, client }) => {
    const what = [method, target, client && `of ${client}`].filter(Boolean).join(' ');
    return ageMs === undefined ? what : `${what}, for ${formatSpan(ageMs)}`;
  });
  return lines && { term: 'Calls in flight', lines: lines.length === 0 ? ['none'] : lines };
}
