import type { Approval } from '../../../shared/approvals.ts';
import { openFilesKindOf, openFilesWordsOf } from '../../../shared/open-files.ts';
import { BYTES_PER_MIB } from '../../../shared/units.ts';
import type { EventDetail } from '../../../shared/events.ts';
import type { NotableEvent } from './notable-events.ts';

/**
 * Text of a notification. It contains only the app's own text and names of servers, not text from servers, because
 * notifications also appear on a locked screen, and some desktops interpret markup in them.
 */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

/** Waiting news about one server. */
export interface ServerNews {
  readonly latest: NotableEvent;
  /** Number of this server's events since its last notification, including the latest. */
  readonly count: number;
  /** What happened after a stall, if it is known when the notification is shown. */
  readonly aftermath?: Aftermath | undefined;
}

export type Aftermath = 'restarting' | 'restarted' | 'recovered';

const MAX_NAMES = 5;

/** Returns the text for the news of one server, or of several servers together. */
export function describeNews(news: readonly ServerNews[]): NotificationText {
  const [first] = news;
  if (first !== undefined && news.length === 1) return describeOne(first);
  const kinds = new Set(news.map(({ latest }) => latest.kind));
  const [kind] = kinds;
  const what = kinds.size === 1 && kind !== undefined ? pluralWords[kind] : 'need attention';
  const lines = [listNames(news.map(({ latest }) => latest.server)), earlierWords(news)];
  return { title: `${news.length} servers ${what}`, body: joinLines(lines) };
}

function describeOne(news: ServerNews): NotificationText {
  const [predicate, what] = wordsOf(news.latest);
  const body = joinParts([what, aftermathWords(news)], '; ');
  const lines = [body && startSentence(body), earlierWords([news])];
  return { title: `${news.latest.server} ${predicate}`, body: joinLines(lines) };
}

/** Returns the part of the title after the server's name, and the line of text below the title. */
function wordsOf({ kind, detail }: NotableEvent): readonly [predicate: string, what: string | undefined] {
  switch (kind) {
    case 'stalled':
      return ['stopped responding', detail.words];
    case 'gave-up':
      return ['failed', gaveUpWords(detail)];
    case 'limit-breached':
      return [
        `is over its ${limitName(detail)}`,
        joinParts([figureWords(detail), actionWords(detail)], '; '),
      ];
    case 'limit-recovered':
      return [`is back under its ${limitName(detail)}`, figureWords(detail)];
    case 'kept-restarting':
      return [`restarted ${detail.restarts} times today`, 'It crashed each time and restarted automatically'];
  }
}

const pluralWords: Readonly<Record<NotableEvent['kind'], string>> = {
  stalled: 'stopped responding',
  'gave-up': 'failed',
  'limit-breached': 'are over a limit',
  'limit-recovered': 'are back under their limits',
  'kept-restarting': 'keep restarting',
};

const aftermaths: Readonly<Record<Aftermath, string>> = {
  restarting: 'it is being restarted',
  restarted: 'it was restarted already',
  recovered: 'it answers again',
};

const aftermathWords = ({ aftermath, latest }: ServerNews): string | undefined =>
  aftermath !== undefined && latest.kind === 'stalled' ? aftermaths[aftermath] : undefined;

const causeWords: ReadonlyMap<string | undefined, string> = new Map([
  ['crash', 'It kept crashing'],
  ['stall', 'It kept not responding'],
  ['limit', 'It kept going over a limit'],
  ['start', 'It could not be started'],
]);

/** Texts for failures by error code, for those codes for which neither the server nor the system provides a text. */
const errorWords: ReadonlyMap<string | undefined, string> = new Map([
  ['COMMAND_NOT_FOUND', 'Its command was not found'],
  ['PERMISSION_DENIED', 'Its command may not be run'],
  ['CWD_MISSING', 'Its folder does not exist'],
  ['CONFIG_INVALID', 'Its configuration cannot be used'],
  ['SIGN_IN_REQUIRED', 'It asks for a sign-in'],
  ['AUTH_REQUIRED', 'It refuses its credential'],
  ['CONSENT_REQUIRED', 'Its definition was changed and waits for your agreement'],
  ['SECRET_MISSING', 'A value that it needs is missing'],
]);

const gaveUpWords = ({ code, cause, reason }: EventDetail<'gave-up'>): string | undefined =>
  errorWords.get(code) ?? joinParts([causeWords.get(cause), reason], ': ');

const openFiles = openFilesWordsOf[openFilesKindOf(process.platform)];

type OfLimit = EventDetail<'limit-breached' | 'limit-recovered'>;

const limitName = ({ limit }: OfLimit): string => (limit === 'openFiles' ? openFiles.limit : 'memory limit');

function figureWords({ limit, value, max }: OfLimit): string | undefined {
  if (value === undefined || max === undefined) return undefined;
  const figure = (amount: number) =>
    limit === 'openFiles' ? `${amount} ${openFiles.unit}` : `${Math.round(amount / BYTES_PER_MIB)} MiB`;
  return `${figure(value)}, limit ${figure(max)}`;
}

function actionWords({ action }: EventDetail<'limit-breached'>): string | undefined {
  if (action === 'restart') return 'it is being restarted';
  return action === 'stop' ? 'it is being stopped' : undefined;
}

/** Returns the count of earlier events that had no notification of their own, as text. */
function earlierWords(news: readonly ServerNews[]): string | undefined {
  const count = news.reduce((sum, { count }) => sum + count - 1, 0);
  if (count === 0) return undefined;
  return `And ${count} earlier ${count === 1 ? 'event' : 'events'}`;
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES);
  const left = names.length - shown.length;
  const last = left > 0 ? `${left} more` : shown.pop();
  return shown.length === 0 ? String(last) : `${shown.join(', ')} and ${last}`;
}

type Words = readonly (string | undefined)[];

const joinLines = (lines: Words) => lines.filter((line) => line !== undefined).join('\n');
const joinParts = (parts: Words, separator: string) =>
  parts.filter((part) => part !== undefined).join(separator) || undefined;
const startSentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Text of the notification about a call that waits for the user's approval. */
export const approvalWords = ({ client, server, tool }: Approval): NotificationText => ({
  title: `${client} waits for your answer`,
  body: `It wants to call ${tool} of ${server}. Nothing runs before you answer.`,
});

/**
 * Returns the text of the notification that informs the user once that closing only hides or minimises the app window. @param
 * servers number of servers that keep running
 */
export function putAwayWords(how: 'hidden' | 'minimised', servers: number): NotificationText {
  const keepsRunning =
    servers === 0
      ? 'It keeps running'
      : `${servers} ${servers === 1 ? 'server keeps' : 'servers keep'} running`;
  return {
    title: 'MCP Control Panel is still running here',
    body:
      how === 'hidden'
        ? `${keepsRunning}. The icon in the tray brings the window back, and its menu quits.`
        : `${keepsRunning}. This desktop shows no tray icons, so the window was minimised; Ctrl+Q quits.`,
  };
}
