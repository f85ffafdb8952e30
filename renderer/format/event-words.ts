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
  /** Details, the most important first; may be empty. They are shown with middle dots between them. */
  readonly details: readonly string[];
}

/** All known details of an event. */
export interface EventStory {
  readonly facts: readonly EventFact[];
  /** Output of the server, unchanged. */
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

/** Every kind of event with its name, in the order of the filters. */
export const namedEventKinds = Object.entries(sentences).map(([kind, { name }]) => ({
  kind: kind as EventKind,
  name,
}));

/** Marks of events that went wrong. */
export const troubleMarks: ReadonlySet<MarkKind> = new Set(['failed', 'stalled', 'suspect', 'backoff']);

/** Groups of event kinds that users look for together. */
export const eventGroups = {
  problems: Object.entries(sentences).flatMap(([kind, { mark }]) =>
    troubleMarks.has(mark) ? [kind as EventKind] : [],
  ),
  changes: ['config-changed', 'config-rejected', 'server-version-changed', 'offer-changed'],
  clients: ['client-connected', 'client-refused', 'client-revoked', 'ask-refused', 'left-behind'],
} as const satisfies Readonly<Record<string, readonly EventKind[]>>;
export type KindGroup = keyof typeof eventGroups;

export const nameOf = (kind: EventKind): string => sentences[kind].name;
export const markOf = (kind: EventKind): MarkKind => sentences[kind].mark;

/** Text for one event. */
export const describeEvent = (event: ToldEvent): EventWords => withSubject(event, predicateOf(event));

/** Text for one event, written to follow its subject. */
export function predicateOf<K extends EventKind>({ kind, detail }: ToldEvent<K>): EventWords {
  const [title, ...details] = sentences[kind].say(detail);
  const all = [...details, excerptOf(detail.raw)];
  return { title, details: all.flatMap((words) => words || []) };
}

/** Names the process in the text if the event is about a replica, not the main instance: "extra process crashed · search#2". */
export function withSubject({ detail: { instance } }: ToldEvent, { title, details }: EventWords): EventWords {
  if (instance === undefined) return { title, details };
  return { title: `extra process ${title}`, details: [...details, instance] };
}

/** Text for one event in one line. */
export function eventLine(event: ToldEvent): string {
  const { title, details } = describeEvent(event);
  return [title, ...details].join(' · ');
}

/** Returns the details of an event; undefined if its line already contains everything. */
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
