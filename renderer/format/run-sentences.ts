import type { EventDetail } from '../../shared/events.ts';
import {
  callsFact,
  countOf,
  cutExcerpt,
  type EventFacts,
  excerptOf,
  fact,
  lostCallsWords,
  numberOf,
  type Phrase,
  prefixed,
  rawText,
  said,
  type SentencesOf,
} from './event-sentences.ts';
import { formatSpan, formatUntil } from './durations.ts';
import { withoutFullStop } from './error-words.ts';
import { formatCount, formatMemory } from './figures.ts';

type RunKind =
  | 'started'
  | 'stopped'
  | 'slept'
  | 'woken'
  | 'crashed'
  | 'restart-scheduled'
  | 'restarted'
  | 'gave-up'
  | 'start-failed'
  | 'force-killed'
  | 'ended'
  | 'orphan-reaped'
  | 'adopted'
  | 'engine-lost'
  | 'engine-reached';

type Failure = EventDetail<'crashed' | 'start-failed'>;

/** Sentences for events about the start and end of runs. */
export const runSentences: SentencesOf<RunKind> = {
  started: { name: 'Started', mark: 'running', say: (detail) => ['started', ...runWords(detail)] },
  stopped: { name: 'Stopped', mark: 'stopped', say: ({ calls }) => ['stopped', lostCallsWords(calls)] },
  slept: {
    name: 'Slept',
    mark: 'asleep',
    say: ({ why, idleForMs, memoryBytes }) => [
      'fell asleep',
      why === 'command' || idleForMs === undefined ? 'on request' : `unused for ${formatSpan(idleForMs)}`,
      memoryBytes === undefined ? undefined : `used ${formatMemory(memoryBytes)}`,
    ],
  },
  woken: {
    name: 'Woken',
    mark: 'running',
    say: ({ by, tookMs, sleptForMs, ...run }) => [
      'woken',
      wakers.get(by),
      tookMs === undefined ? undefined : `took ${formatSpan(tookMs)}`,
      sleptForMs === undefined ? undefined : `slept ${formatSpan(sleptForMs)}`,
      ...runWords(run),
    ],
  },
  crashed: {
    name: 'Crashed',
    mark: 'failed',
    say: (detail) => ['crashed', ...endWords(detail)],
    tell: (detail) => tellFailure(detail, callsFact(detail.calls)),
  },
  'restart-scheduled': {
    name: 'Restart scheduled',
    mark: 'backoff',
    say: (detail) => [restartTitle(detail), attemptWords(detail), causeWords(detail.cause)],
  },
  restarted: {
    name: 'Restarted',
    mark: 'running',
    say: (detail) => ['restarted', attemptWords(detail), ...runWords(detail)],
  },
  'gave-up': {
    name: 'Gave up',
    mark: 'failed',
    say: (detail) => [
      'gave up',
      said(detail.reason) ?? countOf(detail.attempts, 'attempt'),
      // One sentence is enough, because the previous event contains the rest.
      said(detail.brief) ?? firstSentence(message(detail)) ?? causeWords(detail.cause),
    ],
    tell: (detail) => ({
      facts: [
        fact('Why', said(detail.reason)),
        fact('Cause', causeWords(detail.cause)),
        fact('What happened', said(detail.message)),
        fact('Attempts', numberOf(detail.attempts)),
      ],
      advice: said(detail.remedy) ?? 'Fix the cause, then start it by hand.',
    }),
  },
  'start-failed': {
    name: 'Did not start',
    mark: 'failed',
    say: (detail) => ['failed to start', ...endWords(detail)],
    tell: (detail) => tellFailure(detail),
  },
  'force-killed': {
    name: 'Killed by force',
    mark: 'stopping',
    say: ({ signal, pids, leftPids }) => [
      'killed by force',
      said(signal),
      listed('pid ', pids),
      listed('still there: pid ', leftPids),
    ],
  },
  ended: {
    name: 'Ended by the panel',
    mark: 'stopping',
    say: ({ by, calls }) => [endings.get(by) ?? 'ended', lostCallsWords(calls)],
    tell: ({ calls, stderrTail }) => ({ facts: [callsFact(calls)], output: rawText(stderrTail) }),
  },
  'orphan-reaped': {
    name: 'Leftover process ended',
    mark: 'note',
    say: ({ containers = [], commands, pids }) =>
      containers.length > 0
        ? ['leftover container ended', containers.join(', '), listed('', commands)]
        : ['leftover process ended', listed('pid ', pids), listed('', commands)],
  },
  adopted: {
    name: 'Taken over',
    mark: 'running',
    say: ({ container, engine, calls }) => [
      'taken over',
      said(container),
      prefixed('on', engine),
      lostCallsWords(calls),
    ],
    tell: ({ calls, formerGeneration }) => ({
      facts: [callsFact(calls), fact('Run of the previous panel', numberOf(formerGeneration))],
      advice:
        'It kept running while the panel was not. Calls of the previous panel are lost; they may have been carried out.',
    }),
  },
  'engine-lost': {
    name: 'Engine out of reach',
    mark: 'suspect',
    say: ({ engine, reason }) => ['engine out of reach', said(engine), said(reason)],
    tell: () => ({
      advice:
        'Servers with "runOn" keep running there, and their output is read when the engine is back. The other servers start again then.',
    }),
  },
  'engine-reached': {
    name: 'Engine back',
    mark: 'note',
    say: ({ engine, lostMs }) => [
      'engine back',
      said(engine),
      prefixed('after', lostMs === undefined ? undefined : formatUntil(lostMs)),
    ],
  },
};

const wakers: ReadonlyMap<string | undefined, string> = new Map([
  ['call', 'by a call'],
  ['command', 'on request'],
]);

const endings: ReadonlyMap<string | undefined, string> = new Map([
  ['person', 'ended, to be restarted'],
  ['configuration', 'ended, to be restarted as it is configured now'],
  ['limit', 'ended because of its limit'],
]);

const causes: ReadonlyMap<string, string> = new Map([
  ['crash', 'after a crash'],
  ['stall', 'after it stopped responding'],
  ['limit', 'after a limit was exceeded'],
  ['start', 'after a failed start'],
]);

/** Text about the event to which the restart policy reacted: "after a crash". */
export function causeWords(cause: Phrase): Phrase {
  const known = said(cause);
  return known === undefined ? undefined : (causes.get(known) ?? known);
}

export function exitWords({ signal, exitCode }: Pick<Failure, 'signal' | 'exitCode'>): Phrase {
  if (signal) return `ended by ${signal}`;
  return exitCode === undefined ? undefined : `exit ${exitCode}`;
}

interface Attempt {
  readonly attempt?: number | undefined;
  readonly maxAttempts?: number | undefined;
}

export function attemptWords({ attempt, maxAttempts }: Attempt): Phrase {
  if (attempt === undefined) return undefined;
  const max = maxAttempts === undefined ? '' : ` of ${formatCount(maxAttempts)}`;
  return `attempt ${formatCount(attempt)}${max}`;
}

export function restartTitle({ delayMs }: EventDetail<'restart-scheduled'>): string {
  if (delayMs === undefined) return 'restarts';
  return delayMs <= 0
    ? 'restarts immediately'
    : `restarts in ${formatUntil(Math.round(delayMs / 1000) * 1000)}`;
}

const listed = (label: string, items: readonly (string | number)[] = []): Phrase =>
  items.length === 0 ? undefined : `${label}${items.join(', ')}`;

/** Texts about a new run: the name and version of the server, and its process id. */
const runWords = ({ serverInfo = {}, pid }: EventDetail<'started'>): readonly Phrase[] => [
  [said(serverInfo.name), said(serverInfo.version)].filter(Boolean).join(' '),
  pid === undefined ? undefined : `pid ${pid}`,
];

/** Texts about a process's exit and its cause in stderr. If the exit is unknown, the panel's own message and remedy go first. */
function endWords(detail: Failure): readonly Phrase[] {
  const exit = exitWords(detail);
  const stderr = stderrWords(detail);
  return exit === undefined ? [message(detail), said(detail.remedy), stderr] : [exit, stderr];
}

/** Phrase after the server's name. Events of an older panel version contain only a message, which is then the phrase. */
function message({ phrase, message: text }: Pick<Failure, 'phrase' | 'message'>): Phrase {
  const words = said(phrase) ?? said(text);
  return words === undefined ? undefined : cutExcerpt(withoutFullStop(words));
}

/** Text of the server about the cause; if the event has no cause, the last line of stderr. */
function stderrWords({ cause, causeLines, stderrTail = '' }: Failure): Phrase {
  // If `causeLines` is present, the cause was searched for. If none was found, the last line is not the cause either.
  if (causeLines !== undefined) return excerptOf(cause);
  return excerptOf(cause) ?? excerptOf(stderrTail.split(/\r?\n/).findLast((line) => line.trim() !== ''));
}

const firstSentence = (text: Phrase): Phrase => text?.replace(/\. .*$/s, '');

const tellFailure = (detail: Failure, calls?: ReturnType<typeof callsFact>): EventFacts => ({
  facts: [
    fact('What happened', said(detail.message)),
    detail.signal ? fact('Signal', detail.signal) : fact('Exit code', numberOf(detail.exitCode)),
    fact('Code', said(detail.code)),
    detail.generation === undefined
      ? undefined
      : fact('Run', `number ${formatCount(detail.generation)} since the panel started`),
    calls,
  ],
  output: rawText(detail.stderrTail),
  advice: said(detail.remedy),
});
