import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { formatSpan, formatUntil } from './durations.ts';
import {
  cutExcerpt,
  quote,
  readLastLine,
  readList,
  readNumber,
  readText,
  type Detail,
} from './detail-fields.ts';
import { formatCount, formatPlural } from './figures.ts';
import { describeLimit, limitTitle } from './limit-words.ts';

export interface EventWords {
  /** What happened, two or three words: "crashed", "restarts in 2 s". */
  readonly title: string;
  /** The rest, most telling first; may be empty. Shown joined by middle dots. */
  readonly details: readonly string[];
}

type Describe = (detail: Detail) => { title: string; details: readonly (string | undefined)[] };

/** Words for one event. Details are open-ended: a missing field shortens the sentence, it never breaks it. */
export function describeEvent(event: Pick<PanelEvent, 'kind' | 'detail'>): EventWords {
  const { title, details } = describeByKind[event.kind](event.detail);
  return { title, details: details.filter((words) => words !== undefined && words !== '') as string[] };
}

/** The name of a kind where no single event is meant, as in a filter. */
export const eventKindNames: Readonly<Record<EventKind, string>> = {
  started: 'Started',
  stopped: 'Stopped',
  crashed: 'Crashed',
  stalled: 'Not responding',
  recovered: 'Answers again',
  suspect: 'Suspect',
  'restart-scheduled': 'Restart scheduled',
  restarted: 'Restarted',
  'gave-up': 'Gave up',
  'limit-breached': 'Over a limit',
  'limit-recovered': 'Back under a limit',
  'high-cpu': 'High CPU',
  'start-failed': 'Did not start',
  'force-killed': 'Killed by force',
  'protocol-noise': 'Protocol noise',
  'orphan-reaped': 'Leftover process ended',
  'config-changed': 'Configuration changed',
  'config-rejected': 'Configuration refused',
};

const describeByKind: Readonly<Record<EventKind, Describe>> = {
  started: (detail) => ({
    title: 'started',
    details: [labelled('ready in', span(detail, 'startMs')), labelled('pid', plain(detail, 'pid'))],
  }),
  stopped: (detail) => ({ title: 'stopped', details: [readText(detail, 'reason')] }),
  crashed: (detail) => ({ title: 'crashed', details: [exitWords(detail), lastWords(detail)] }),
  stalled: (detail) => ({ title: 'not responding', details: silenceWords(detail) }),
  recovered: (detail) => ({
    title: 'answers again',
    details: [labelled('after', span(detail, 'elapsedMs'))],
  }),
  suspect: (detail) => ({ title: 'suspect', details: silenceWords(detail) }),
  'restart-scheduled': (detail) => ({
    title: restartTitle(readNumber(detail, 'delayMs')),
    details: [attemptWords(detail), causeWords(detail)],
  }),
  restarted: (detail) => ({
    title: 'restarted',
    details: [
      attemptWords(detail),
      labelled('ready in', span(detail, 'startMs')),
      labelled('pid', plain(detail, 'pid')),
    ],
  }),
  'gave-up': (detail) => ({
    title: 'gave up',
    details: [countWords(detail, 'attempts', 'attempt'), readText(detail, 'message') ?? causeWords(detail)],
  }),
  'limit-breached': (detail) => ({ title: limitTitle(detail, 'over'), details: describeLimit(detail) }),
  'limit-recovered': (detail) => ({
    title: limitTitle(detail, 'back under'),
    details: describeLimit(detail),
  }),
  'high-cpu': (detail) => ({ title: 'high CPU', details: describeLimit({ limit: 'cpu', ...detail }) }),
  'start-failed': (detail) => ({
    title: 'did not start',
    details: [
      readText(detail, 'message') ?? exitWords(detail),
      lastStderr(detail),
      readText(detail, 'remedy'),
    ],
  }),
  'force-killed': (detail) => ({
    title: 'killed by force',
    details: [readText(detail, 'signal'), labelled('pid', readList(detail, 'pids').join(', ') || undefined)],
  }),
  'protocol-noise': (detail) => ({
    title: 'wrote what is not protocol',
    details: [countWords(detail, 'count', 'line'), excerpt(detail), readText(detail, 'noise')],
  }),
  'orphan-reaped': (detail) => ({
    title: 'leftover process ended',
    details: [labelled('pid', plain(detail, 'pid') ?? (readList(detail, 'pids').join(', ') || undefined))],
  }),
  'config-changed': (detail) => ({
    title: 'configuration changed',
    details: [readText(detail, 'change'), readList(detail, 'fields').join(', ')],
  }),
  'config-rejected': (detail) => ({
    title: 'configuration refused',
    details: [readText(detail, 'message'), placeWords(detail)],
  }),
};

function exitWords(detail: Detail): string | undefined {
  const signal = readText(detail, 'signal');
  if (signal !== undefined) return `ended by ${signal}`;
  return labelled('exit', plain(detail, 'exitCode'));
}

/** What the server said last; without a word from it, our own sentence. */
function lastWords(detail: Detail): string | undefined {
  const message = readText(detail, 'message');
  return lastStderr(detail) ?? (message === undefined ? undefined : cutExcerpt(message));
}

function lastStderr(detail: Detail): string | undefined {
  const line = readLastLine(detail, 'stderrTail');
  return line === undefined ? undefined : quote(line);
}

function silenceWords(detail: Detail): readonly (string | undefined)[] {
  const methods = readList(detail, 'pendingMethods');
  const waiting =
    methods.length === 0
      ? undefined
      : `${formatPlural(methods.length, 'call')} waiting: ${methods.join(', ')}`;
  return [
    labelled('no answer for', span(detail, 'elapsedMs')),
    waiting,
    readList(detail, 'evidence').join(', '),
  ];
}

function restartTitle(delayMs: number | undefined): string {
  if (delayMs === undefined) return 'restarts';
  return delayMs <= 0
    ? 'restarts at once'
    : `restarts in ${delayMs < 1000 ? formatSpan(delayMs) : formatUntil(delayMs)}`;
}

function attemptWords(detail: Detail): string | undefined {
  const attempt = readNumber(detail, 'attempt');
  if (attempt === undefined) return undefined;
  const max = readNumber(detail, 'maxAttempts');
  return max === undefined
    ? `attempt ${formatCount(attempt)}`
    : `attempt ${formatCount(attempt)} of ${formatCount(max)}`;
}

const causeWordsByCause: Readonly<Record<string, string>> = {
  crash: 'after a crash',
  stall: 'after it stopped responding',
  limit: 'after a limit was exceeded',
  'start-failure': 'after a failed start',
};

function causeWords(detail: Detail): string | undefined {
  const cause = readText(detail, 'cause');
  return cause === undefined ? undefined : (causeWordsByCause[cause] ?? cause);
}

function excerpt(detail: Detail): string | undefined {
  const text = readText(detail, 'excerpt');
  return text === undefined ? undefined : quote(cutExcerpt(text));
}

function placeWords(detail: Detail): string | undefined {
  const line = readNumber(detail, 'line');
  if (line === undefined) return readText(detail, 'path');
  const column = readNumber(detail, 'column');
  return column === undefined ? `line ${line}` : `line ${line}, column ${column}`;
}

function countWords(detail: Detail, field: string, noun: string): string | undefined {
  const count = readNumber(detail, field);
  return count === undefined ? undefined : formatPlural(count, noun);
}

function span(detail: Detail, field: string): string | undefined {
  const ms = readNumber(detail, field);
  return ms === undefined ? undefined : formatSpan(ms);
}

/** A number that is a name (pid, exit code), so it is never grouped. */
function plain(detail: Detail, field: string): string | undefined {
  const value = readNumber(detail, field);
  return value === undefined ? undefined : String(value);
}

const labelled = (label: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : `${label} ${value}`;
