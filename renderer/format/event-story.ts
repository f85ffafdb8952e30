import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { askedForWords, askRefusalAdvice, askRefusalWords } from './ask-words.ts';
import { readNumber, readRawText, readText, type Detail, type EventFact } from './detail-fields.ts';
import { causeWords, noiseWords } from './detail-words.ts';
import { callsFact, verdictFacts } from './evidence-words.ts';
import { formatCount } from './figures.ts';
import { headlineOf } from './incident-words.ts';
import type { LogEntry } from './incidents.ts';
import { limitAdvice, limitFacts } from './limit-words.ts';
import { refusalAdvice, refusalWords } from './refusal-words.ts';

/** Story of an event: all that is known of it. */
export interface EventStory {
  readonly facts: readonly EventFact[];
  /** Output of the server, as it wrote it. */
  readonly output?: { readonly term: string; readonly text: string };
  readonly advice?: string;
}

type Facts = readonly (EventFact | undefined)[];
interface Told {
  readonly facts: Facts;
  readonly output?: string | undefined;
  readonly outputTerm?: string;
  readonly advice?: string | undefined;
}
type Tell = (detail: Detail) => Told;

/**
 * Story of an entry's headline, with what to do about how it ended; undefined where its line tells
 * everything.
 */
export function tellEntry(entry: LogEntry): EventStory | undefined {
  const story = tellEvent(headlineOf(entry));
  if (entry.events.length === 1) return story;
  const end = entry.events.findLast(({ kind }) => kind === 'gave-up');
  const advice = (end && tellEvent(end)?.advice) ?? story?.advice;
  return { facts: [], ...story, ...(advice !== undefined && { advice }) };
}

/** Story of an event, or undefined where its line has already told everything. */
export function tellEvent({ kind, detail }: Pick<PanelEvent, 'kind' | 'detail'>): EventStory | undefined {
  const told = tellers[kind]?.(detail);
  if (told === undefined) return undefined;
  const facts = told.facts.filter((fact) => fact !== undefined);
  const { advice, output, outputTerm = 'Last of stderr' } = told;
  if (facts.length === 0 && advice === undefined && output === undefined) return undefined;
  return {
    facts,
    ...(output !== undefined && { output: { term: outputTerm, text: output } }),
    ...(advice !== undefined && { advice }),
  };
}

const tellVerdict: Tell = (detail) => ({
  facts: verdictFacts(detail),
  output: readRawText(detail, 'stderrTail'),
});

const tellEnd: Tell = (detail) => ({
  facts: [
    messageFact(detail),
    exitFact(detail),
    fact('Code', readText(detail, 'code')),
    generationFact(detail),
    callsFact(detail),
  ],
  output: readRawText(detail, 'stderrTail'),
  advice: readText(detail, 'remedy'),
});

const tellLimit: Tell = (detail) => ({
  facts: [...limitFacts(detail), callsFact(detail)],
  advice: limitAdvice(detail),
});

const tellers: Partial<Record<EventKind, Tell>> = {
  stalled: tellVerdict,
  suspect: tellVerdict,
  recovered: tellVerdict,
  crashed: tellEnd,
  'start-failed': tellEnd,
  'gave-up': (detail) => ({
    facts: [
      fact('Why', readText(detail, 'reason')),
      fact('Cause', causeWords(detail)),
      messageFact(detail),
      fact('Attempts', formatNumber(detail, 'attempts')),
    ],
    advice: readText(detail, 'remedy') ?? 'Fix the cause, then start it by hand.',
  }),
  ended: (detail) => ({ facts: [callsFact(detail)], output: readRawText(detail, 'stderrTail') }),
  'limit-breached': tellLimit,
  'high-cpu': (detail) => tellLimit({ limit: 'cpu', ...detail }),
  'protocol-noise': (detail) => ({
    facts: [fact('Kind', noiseWords(detail)), fact('Lines', formatNumber(detail, 'count'))],
    output: readRawText(detail, 'excerpt'),
    outputTerm: 'What it wrote',
    advice: 'stdout belongs to the protocol: a server should log to stderr.',
  }),
  'client-refused': (detail) => ({
    facts: [
      fact('Why', refusalWords(detail)),
      fact('Requests', formatNumber(detail, 'count')),
      fact('Address', readText(detail, 'path')),
    ],
    advice: refusalAdvice(detail),
  }),
  'ask-refused': (detail) => ({
    facts: [
      fact('Asked', askedForWords(detail)),
      fact('Method', readText(detail, 'method')),
      fact('Why', askRefusalWords(detail)),
      fact('Questions', formatNumber(detail, 'count')),
    ],
    advice: askRefusalAdvice(detail),
  }),
  'config-rejected': (detail) => ({
    facts: [messageFact(detail), fact('File', readText(detail, 'path'))],
  }),
};

const fact = (term: string, words: string | undefined): EventFact | undefined =>
  words === undefined ? undefined : { term, lines: [words] };

const messageFact = (detail: Detail) => fact('What happened', readText(detail, 'message'));

function exitFact(detail: Detail): EventFact | undefined {
  const signal = readText(detail, 'signal');
  return signal === undefined ? fact('Exit code', formatNumber(detail, 'exitCode')) : fact('Signal', signal);
}

/** Which run of the server it was: they are counted from the start of the panel. */
const generationFact = (detail: Detail) => {
  const count = formatNumber(detail, 'generation');
  return fact('Run', count === undefined ? undefined : `number ${count} since the panel started`);
};

function formatNumber(detail: Detail, field: string): string | undefined {
  const value = readNumber(detail, field);
  return value === undefined ? undefined : formatCount(value);
}
