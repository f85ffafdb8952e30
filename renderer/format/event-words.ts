import type { EventKind, ToldEvent } from '../../shared/events.ts';
import { clientSentences } from './client-sentences.ts';
import { excerptOf, rawText, type EventFact, type MarkKind, type SentencesOf } from './event-sentences.ts';
import { limitSentences } from './limit-sentences.ts';
import { runSentences } from './run-sentences.ts';
import { surroundingSentences } from './surrounding-sentences.ts';
import { verdictSentences } from './verdict-sentences.ts';

export interface EventWords {
  /** Title in two or three words: "crashed", "restarts in 2 s". */
  readonly title: string;
  /** Details, most telling first; may be empty. Shown joined by middle dots. */
  readonly details: readonly string[];
}

/** Story of an event: all that is known of it. */
export interface EventStory {
  readonly facts: readonly EventFact[];
  /** Output of the server, as it wrote it. */
  readonly output?: { readonly term: string; readonly text: string };
  readonly advice?: string;
}

const sentences: SentencesOf<EventKind> = {
  ...runSentences,
  ...verdictSentences,
  ...limitSentences,
  ...surroundingSentences,
  ...clientSentences,
};

/** Every kind of event with its name, in the order in which filters list them. */
export const namedEventKinds = Object.entries(sentences).map(([kind, { name }]) => ({
  kind: kind as EventKind,
  name,
}));

export const markOf = (kind: EventKind): MarkKind => sentences[kind].mark;

/** Words for one event. */
export const describeEvent = (event: ToldEvent): EventWords => withSubject(event, predicateOf(event));

/** Words for one event as they follow its subject. */
export function predicateOf<K extends EventKind>({ kind, detail }: ToldEvent<K>): EventWords {
  const [title, ...details] = sentences[kind].say(detail);
  const all = [...details, excerptOf(detail.raw)];
  return { title, details: all.flatMap((words) => words || []) };
}

/** The words with their subject where that is not the server itself: "extra process crashed · search#2". */
export function withSubject({ detail: { instance } }: ToldEvent, { title, details }: EventWords): EventWords {
  if (instance === undefined) return { title, details };
  return { title: `extra process ${title}`, details: [...details, instance] };
}

/** Words for one event in one line. */
export function eventLine(event: ToldEvent): string {
  const { title, details } = describeEvent(event);
  return [title, ...details].join(' · ');
}

/** Story of an event, or undefined where its line has already told everything. */
export function tellEvent<K extends EventKind>({ kind, detail }: ToldEvent<K>): EventStory | undefined {
  const raw = rawText(detail.raw);
  if (raw !== undefined) return { facts: [], output: { term: 'As it was written', text: raw } };
  const told = sentences[kind].tell?.(detail);
  if (told === undefined) return undefined;
  const facts = (told.facts ?? []).filter((fact) => fact !== undefined);
  const { advice, output, outputTerm = 'Last of stderr' } = told;
  if (facts.length === 0 && advice === undefined && output === undefined) return undefined;
  return {
    facts,
    ...(output !== undefined && { output: { term: outputTerm, text: output } }),
    ...(advice !== undefined && { advice }),
  };
}
