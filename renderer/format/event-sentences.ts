import type { EventDetail, EventKind } from '../../shared/events.ts';
import type { StateKind } from '../../shared/server-states.ts';
import { withoutEdges } from '../../shared/text-edges.ts';
import { formatSpan } from './durations.ts';
import { formatCount, formatPlural } from './figures.ts';
import { toPlainText } from './plain-text.ts';

/**
 * Shape and colour of an event: that of the state it leads to, `cause` for what happened around the servers
 * and may be the cause of something, or a plain dot, `note`, for what changes no state.
 */
export type MarkKind = StateKind | 'cause' | 'note';

/** Words, or undefined where nothing is known to say. */
export type Phrase = string | undefined;

/** Fact about an event, in one line or a few. */
export interface EventFact {
  readonly term: string;
  readonly lines: readonly string[];
}

/** What the line of an event has no room for. */
export interface EventFacts {
  readonly facts?: readonly (EventFact | undefined)[];
  /** Output of the server, as it wrote it. */
  readonly output?: Phrase;
  readonly outputTerm?: string;
  readonly advice?: Phrase;
}

/** All that is said of events of one kind, in lists, charts, tips and details. */
export interface EventSentences<K extends EventKind> {
  /** Name of the kind where no single event is meant, as in a filter. */
  readonly name: string;
  readonly mark: MarkKind;
  /** Words as they follow the subject: a title of two or three words, and details, most telling first. */
  readonly say: (detail: EventDetail<K>) => readonly [title: string, ...details: Phrase[]];
  readonly tell?: (detail: EventDetail<K>) => EventFacts;
}

export type SentencesOf<Kinds extends EventKind> = { readonly [K in Kinds]: EventSentences<K> };

const LONGEST_EXCERPT = 160;

/** Text without blanks around it; undefined where nothing is left. */
export const said = (text: Phrase): Phrase => text?.trim() || undefined;

/** Text in quotation marks, for words that a server wrote. */
export const quote = (text: string): string => `"${withoutEdges(text, '"')}"`;

export function cutExcerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_EXCERPT ? line : `${line.slice(0, LONGEST_EXCERPT - 1)}…`;
}

export const excerptOf = (text: Phrase): Phrase => {
  const words = said(text);
  return words === undefined ? undefined : quote(cutExcerpt(words));
};

/** Lines as they were written, without the empty ones around them. */
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

/** `7 times`, and nothing for once. */
export const timesOf = (count = 1): Phrase => (count > 1 ? formatPlural(count, 'time') : undefined);

export const prefixed = (word: string, text: Phrase): Phrase => {
  const words = said(text);
  return words === undefined ? undefined : `${word} ${words}`;
};

export const fact = (term: string, words: Phrase): EventFact | undefined =>
  words === undefined ? undefined : { term, lines: [words] };

export const numberOf = (value: number | undefined): Phrase =>
  value === undefined ? undefined : formatCount(value);
