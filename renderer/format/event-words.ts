import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import { askedForWords, askRefusalWords } from './ask-words.ts';
import { readList, readNumber, readText, type Detail } from './detail-fields.ts';
import {
  attemptWords,
  causeWords,
  changeTitle,
  changeWords,
  countWords,
  endedTitle,
  exitWords,
  harmlessWords,
  lostCallsWords,
  stderrWords,
  message,
  noiseWords,
  pidWords,
  placeWords,
  quotedExcerpt,
  runWords,
  silenceWords,
  span,
  versionWords,
} from './detail-words.ts';
import { formatUntil } from './durations.ts';
import { describeLimit, limitTitle } from './limit-words.ts';
import { loopTaskWords } from './loop-words.ts';
import { refusalWords } from './refusal-words.ts';

export interface EventWords {
  /** Title in two or three words: "crashed", "restarts in 2 s". */
  readonly title: string;
  /** Details, most telling first; may be empty. Shown joined by middle dots. */
  readonly details: readonly string[];
}

type Words = readonly (string | undefined)[];
type Describe = (detail: Detail) => readonly [title: string, details: Words];

/**
 * Words for one event. Its detail is open-ended: a missing field shortens the sentence, and never breaks it.
 */
export const describeEvent = (event: Pick<PanelEvent, 'kind' | 'detail'>): EventWords =>
  withSubject(event, predicateOf(event));

/** Words for one event as they follow its subject. */
export function predicateOf({ kind, detail }: Pick<PanelEvent, 'kind' | 'detail'>): EventWords {
  const [title, details] = describeByKind[kind](detail);
  return { title, details: details.filter((words) => words !== undefined && words !== '') as string[] };
}

/** The words with their subject where that is not the server itself: "extra process crashed · search#2". */
export function withSubject(
  { detail }: Pick<PanelEvent, 'detail'>,
  { title, details }: EventWords,
): EventWords {
  const instance = readText(detail, 'instance');
  if (instance === undefined) return { title, details };
  return { title: `extra process ${title}`, details: [...details, instance] };
}

/** Names of event kinds where no single event is meant, as in a filter. */
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
  ended: 'Ended by the panel',
  'protocol-noise': 'Protocol noise',
  'orphan-reaped': 'Leftover process ended',
  'config-changed': 'Configuration changed',
  'config-rejected': 'Configuration refused',
  'panel-started': 'Panel started',
  'panel-quit': 'Panel quit',
  'system-resumed': 'Woke from sleep',
  'panel-blocked': 'Panel was held up',
  'server-version-changed': 'Server version changed',
  'client-connected': 'Client connected',
  'client-refused': 'Client refused',
  'client-revoked': 'Client revoked',
  'ask-refused': 'Question refused',
};

const describeByKind: Readonly<Record<EventKind, Describe>> = {
  started: (detail) => ['started', runWords(detail)],
  stopped: (detail) => ['stopped', [readText(detail, 'reason'), lostCallsWords(detail)]],
  crashed: (detail) => ['crashed', endWords(detail)],
  stalled: (detail) => ['not responding', silenceWords(detail)],
  recovered: (detail) => [
    'answers again',
    [span(detail, 'silentMs', 'after') ?? span(detail, 'elapsedMs', 'after')],
  ],
  suspect: (detail) => ['suspect', silenceWords(detail)],
  'restart-scheduled': (detail) => [restartTitle(detail), [attemptWords(detail), causeWords(detail)]],
  restarted: (detail) => ['restarted', [attemptWords(detail), ...runWords(detail)]],
  'gave-up': (detail) => [
    'gave up',
    [
      readText(detail, 'reason') ?? countWords(detail, 'attempts', 'attempt'),
      // One sentence is enough because the event before has told the rest.
      readText(detail, 'brief') ?? firstSentence(message(detail)) ?? causeWords(detail),
    ],
  ],
  'limit-breached': (detail) => [limitTitle(detail, 'over'), describeLimit(detail)],
  'limit-recovered': (detail) => [
    limitTitle(detail, 'back under'),
    [...describeLimit(detail), span(detail, 'durationMs', 'over it for')],
  ],
  'high-cpu': (detail) => ['high CPU', describeLimit({ limit: 'cpu', ...detail })],
  'start-failed': (detail) => ['did not start', endWords(detail)],
  'force-killed': (detail) => [
    'killed by force',
    [readText(detail, 'signal'), pidWords(detail), leftWords(detail)],
  ],
  ended: (detail) => [endedTitle(detail), [lostCallsWords(detail)]],
  'protocol-noise': (detail) => [
    'wrote what is not protocol',
    [countWords(detail, 'count', 'line'), noiseWords(detail), quotedExcerpt(detail), harmlessWords(detail)],
  ],
  'orphan-reaped': (detail) => {
    const containers = readList(detail, 'containers');
    const commands = readList(detail, 'commands').join(', ') || undefined;
    return containers.length > 0
      ? ['leftover container ended', [containers.join(', '), commands]]
      : ['leftover process ended', [pidWords(detail), commands]];
  },
  'config-changed': (detail) => [changeTitle(detail), changeWords(detail)],
  'config-rejected': (detail) => ['configuration refused', [message(detail), placeWords(detail)]],
  'panel-started': (detail) => [
    'panel started',
    [
      readText(detail, 'version'),
      span(detail, 'absentMs', 'was not running for'),
      detail['endedUncleanly'] === true ? 'had ended without quitting' : undefined,
    ],
  ],
  'panel-quit': () => ['panel quit', []],
  'panel-blocked': (detail) => [
    'held up the panel',
    [span(detail, 'durationMs', 'for'), loopTaskWords(detail), timesWords(detail)],
  ],
  'system-resumed': (detail) => ['woke from sleep', [span(detail, 'sleptMs', 'asleep for')]],
  'server-version-changed': (detail) => ['server version changed', [versionWords(detail)]],
  'client-connected': (detail) => [
    'client connected',
    [
      readText(detail, 'client'),
      readText(detail, 'program'),
      prefixed('to', readText(detail, 'server')),
      prefixed('reads', readText(detail, 'reads')),
    ],
  ],
  'client-refused': (detail) => [
    'client refused',
    [
      readText(detail, 'client'),
      refusalWords(detail),
      prefixed('for', readText(detail, 'server')),
      timesWords(detail),
    ],
  ],
  'client-revoked': (detail) => ['client revoked', [readText(detail, 'client')]],
  'ask-refused': (detail) => [
    'question refused',
    [askedForWords(detail), askRefusalWords(detail), timesWords(detail)],
  ],
};

/**
 * Words on how a process ended and, by the server, on the cause; without either, our own sentence and remedy.
 */
function endWords(detail: Detail): Words {
  const exit = exitWords(detail);
  if (exit === undefined) return [message(detail), readText(detail, 'remedy'), stderrWords(detail)];
  return [exit, stderrWords(detail)];
}

const firstSentence = (text: string | undefined): string | undefined => text?.replace(/\. .*$/s, '');

export function restartTitle(detail: Detail): string {
  const delayMs = readNumber(detail, 'delayMs');
  if (delayMs === undefined) return 'restarts';
  return delayMs <= 0 ? 'restarts at once' : `restarts in ${formatUntil(Math.round(delayMs / 1000) * 1000)}`;
}

/** `7 times`, and nothing for once. */
const timesWords = (detail: Detail): string | undefined =>
  (readNumber(detail, 'count') ?? 1) > 1 ? countWords(detail, 'count', 'time') : undefined;

const prefixed = (word: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${word} ${text}`;

function leftWords(detail: Detail): string | undefined {
  const left = readList(detail, 'leftPids');
  return left.length === 0 ? undefined : `still there: pid ${left.join(', ')}`;
}
