import { numberBounds } from '../../shared/bounds.ts';
import type { EventDetail } from '../../shared/events.ts';
import {
  callsFact,
  type EventFact,
  type EventSentences,
  fact,
  type Phrase,
  rawText,
  said,
  type SentencesOf,
  span,
} from './event-sentences.ts';
import { formatSpan } from './durations.ts';
import { formatCpu, formatMemory, formatPlural } from './figures.ts';

type Verdict = EventDetail<'suspect' | 'stalled'>;
type Evidence = NonNullable<Verdict['evidence']>;

const sayDoubt =
  (title: string): EventSentences<'suspect' | 'stalled'>['say'] =>
  ({ words, elapsedMs, pendingMethods = [] }) => [
    title,
    said(words) ?? span('no answer for', elapsedMs),
    pendingMethods.length === 0
      ? undefined
      : `${formatPlural(pendingMethods.length, 'call')} waiting: ${pendingMethods.join(', ')}`,
  ];

/**
 * Returns the details of the verdict that a server does not respond, or may not: the applied rule, the duration of the silence,
 * the health checks, and the calls on which the verdict is based.
 */
const tellDoubt: EventSentences<'suspect' | 'stalled'>['tell'] = ({ evidence, stderrTail, ...detail }) => ({
  facts: [
    fact('Judged so', describeVerdictRow(detail.row)),
    silenceFact(evidence?.silentMs ?? detail.elapsedMs, evidence),
    evidence && checksFact(evidence),
    callsFact(evidence?.calls) ?? waitingFact(detail),
    evidence && habitFact(evidence),
    evidence && workFact(evidence),
  ],
  output: rawText(stderrTail),
});

export const recoveredText = ({ row }: EventDetail<'recovered'>): string =>
  String(row) === '10' ? 'well again' : 'answers again';

/** Sentences for events about silent servers and failed health checks. */
export const verdictSentences: SentencesOf<'stalled' | 'recovered' | 'suspect'> = {
  stalled: { name: 'Not responding', mark: 'stalled', say: sayDoubt('not responding'), tell: tellDoubt },
  recovered: {
    name: 'Answers again',
    mark: 'running',
    say: (detail) => [recoveredText(detail), span('after', detail.silentMs)],
    tell: ({ silentMs }) => ({ facts: [silenceFact(silentMs)] }),
  },
  suspect: { name: 'Suspect', mark: 'suspect', say: sayDoubt('suspect'), tell: tellDoubt },
};

function silenceFact(silentMs: number | undefined, evidence: Evidence = {}): EventFact | undefined {
  if (silentMs === undefined) return undefined;
  const { thresholdMs, lastAnswerMs } = evidence;
  const allowed = thresholdMs === undefined ? '' : `, ${formatSpan(thresholdMs)} allowed`;
  const answered = lastAnswerMs === undefined ? [] : [`last answer ${formatSpan(lastAnswerMs)} ago`];
  return { term: 'Silence', lines: [`${formatSpan(silentMs)}${allowed}`, ...answered] };
}

function checksFact({ probes = [] }: Evidence): EventFact {
  const lines = probes.map(
    ({ kind = 'a check', unansweredMs }) => `${kind} ${span('unanswered for', unansweredMs) ?? 'unanswered'}`,
  );
  return { term: 'Checks', lines: [lines.length === 0 ? 'none unanswered' : lines.join(', ')] };
}

const waitingFact = ({ pendingMethods = [] }: Verdict): EventFact | undefined =>
  pendingMethods.length === 0 ? undefined : { term: 'Calls in flight', lines: pendingMethods };

function habitFact({ answeredDuringCalls: answers }: Evidence): EventFact | undefined {
  if (answers === undefined) return undefined;
  return fact('During calls', answers ? 'has answered a check during these calls' : 'no check answered');
}

/**
 * Returns the text about the work that the server's processes did since the first unanswered health check, or since the silence
 * began. Only the CPU time counts for a verdict. The other figures are information for the user.
 */
function workFact({ work = {} }: Evidence): EventFact | undefined {
  const { overMs = 0, cpuMs, writtenBytes } = work;
  if (cpuMs === undefined || overMs <= 0) return undefined;
  const share = formatCpu((cpuMs / overMs) * 100);
  return fact('Meanwhile', `${share} of a core, ${formatMemory(writtenBytes)} written`);
}

export const LONGEST_SILENCE_MS = numberBounds['health.stallThresholdMs'].max;

/**
 * Returns the silence in ms that should be allowed for a server after a wrong stall verdict: twice the silence allowed at the
 * time of that verdict. Undefined if that was already the maximum.
 * @param currentMs silence in ms that is allowed now
 */
export function silenceToAllow({ evidence }: EventDetail<'stalled'>, currentMs: number): number | undefined {
  const thenMs = evidence?.thresholdMs ?? currentMs;
  return thenMs >= LONGEST_SILENCE_MS ? undefined : Math.min(LONGEST_SILENCE_MS, 2 * thenMs);
}

/** Texts of the rules by which silence is judged, by the rule's number in the verdict table. */
const rules: ReadonlyMap<string, string> = new Map([
  ['0', 'The panel itself was late, or the machine slept, so the silence does not count.'],
  [
    '1',
    'A debugger has stopped the server process, or its engine is out of reach, so its silence does not count.',
  ],
  ['2', 'The server process is stopped by a signal and has not run since, and a health check is unanswered.'],
  ['3', 'It sent something, or answered a health check, within the time allowed.'],
  [
    '4',
    'A health check that was sent while it had nothing else to do stayed unanswered, and its processes used next to no CPU in the meantime. That makes it suspect; after twice the time allowed it counts as not responding.',
  ],
  [
    '4b',
    'A health check that was sent while it had nothing else to do stayed unanswered, and its processes have used CPU since, or the panel cannot see whether they have: a server that loads something is given more time.',
  ],
  [
    '5b',
    'It answered a health check during this very call, and now it does not. That makes it suspect; it counts as not responding only if its configuration says so.',
  ],
  [
    '6',
    'It is busy with a call and has never answered a health check while busy with it, so no answer means nothing.',
  ],
  [
    '7',
    'All its calls have timed out, and for twice the time allowed it has answered nothing since, one more health check included, and its processes used next to no CPU.',
  ],
  [
    '7b',
    'All its calls have timed out and it answers nothing, but its processes use CPU, or the panel cannot see whether they do: it is given more time.',
  ],
  ['7c', 'All its calls have timed out, but it answers health checks.'],
  ['8', 'It answers no kind of health check and no call is open, so its health is unknown.'],
  [
    '9',
    'It sent something, but has not answered a health check that was sent while it had nothing else to do: its health is unknown.',
  ],
  [
    '10',
    'The health check in its configuration failed three times in a row while it had nothing else to do. It counts as not responding only if its configuration says so.',
  ],
]);

/** Returns the text of a rule without its number, which means nothing to the user. Undefined if the number is unknown. */
export const describeVerdictRow = (row: number | string | undefined): Phrase => rules.get(String(row));
