import {
  cutExcerpt,
  quote,
  readLastLine,
  readList,
  readNumber,
  readRecords,
  readText,
  type Detail,
} from './detail-fields.ts';
import { formatSpan } from './durations.ts';
import { withoutFullStop } from './error-words.ts';
import { formatCount, formatPlural } from './figures.ts';
import { settingName, settingWords } from './setting-words.ts';
import { ownValue } from '../../shared/own-value.ts';

/** Phrases for the fields that several kinds of event share; `undefined` where the field is missing. */
type Phrase = string | undefined;

const causes: Readonly<Record<string, string>> = {
  crash: 'after a crash',
  stall: 'after it stopped responding',
  limit: 'after a limit was exceeded',
  start: 'after a failed start',
};

const endings: Readonly<Record<string, string>> = {
  person: 'ended, to be restarted',
  configuration: 'ended, to be restarted as it is configured now',
  limit: 'ended because of its limit',
};

const noises: Readonly<Record<string, string>> = {
  'not-json': 'not JSON',
  'not-a-message': 'not a message',
  'bad-utf8': 'not UTF-8',
  'too-long': 'too long',
  'too-many': 'more at once than is read',
  'too-many-values': 'too many values to be read',
  'cut-off': 'cut off',
  unmatched: 'an answer to no request',
  'not-handled': 'a message that cannot be handled',
};

/** Phrase that follows the server's name. Events of an older panel have the message only. */
export function message(detail: Detail): Phrase {
  const text = readText(detail, 'phrase') ?? readText(detail, 'message');
  return text === undefined ? undefined : cutExcerpt(withoutFullStop(text));
}

export function exitWords(detail: Detail): Phrase {
  const signal = readText(detail, 'signal');
  if (signal !== undefined) return `ended by ${signal}`;
  const code = readNumber(detail, 'exitCode');
  return code === undefined ? undefined : `exit ${code}`;
}

/** Words of the server on why it ended; for events that do not name the cause, its last line. */
export function stderrWords(detail: Detail): Phrase {
  const cause = readText(detail, 'cause');
  // An event that looked for the cause and found none has no use for the last line either.
  const line = Array.isArray(detail['causeLines']) ? cause : (cause ?? readLastLine(detail, 'stderrTail'));
  return line === undefined ? undefined : quote(cutExcerpt(line));
}

/** Words on a new run: name and version of the server, its start time, and its process. */
export function runWords(detail: Detail): readonly Phrase[] {
  const info = detail['serverInfo'];
  const server = typeof info === 'object' && info !== null ? (info as Detail) : {};
  const version = [readText(server, 'name'), readText(server, 'version')].filter(Boolean).join(' ');
  return [version, span(detail, 'startMs', 'ready in'), pidWords(detail)];
}

export function pidWords(detail: Detail): Phrase {
  const pid = readNumber(detail, 'pid');
  const pids = pid === undefined ? readList(detail, 'pids') : [String(pid)];
  return pids.length === 0 ? undefined : `pid ${pids.join(', ')}`;
}

/** Words on how long the server was silent, and which calls wait. */
export function silenceWords(detail: Detail): readonly Phrase[] {
  const methods = readList(detail, 'pendingMethods');
  const waiting =
    methods.length === 0
      ? undefined
      : `${formatPlural(methods.length, 'call')} waiting: ${methods.join(', ')}`;
  return [readText(detail, 'words') ?? span(detail, 'elapsedMs', 'no answer for'), waiting];
}

export function attemptWords(detail: Detail): Phrase {
  const attempt = readNumber(detail, 'attempt');
  if (attempt === undefined) return undefined;
  const max = readNumber(detail, 'maxAttempts');
  return `attempt ${formatCount(attempt)}${max === undefined ? '' : ` of ${formatCount(max)}`}`;
}

export function causeWords(detail: Detail): Phrase {
  const cause = readText(detail, 'cause');
  return cause === undefined ? undefined : (ownValue(causes, cause) ?? cause);
}

/** Title of the end of a run that the panel has brought about. */
export const endedTitle = (detail: Detail): string =>
  ownValue(endings, readText(detail, 'by') ?? '') ?? 'ended';

/** Words on the calls that the end of a run cut off; undefined where it cut off none. */
export function lostCallsWords(detail: Detail): Phrase {
  const lost = readRecords(detail, 'calls').filter(
    (call) => call['isGivenUp'] !== true && readText(call, 'by') !== 'panel',
  );
  if (lost.length === 0) return undefined;
  const targets = [
    ...new Set(lost.map((call) => readText(call, 'target') ?? readText(call, 'method') ?? '')),
  ];
  return `${formatPlural(lost.length, 'call')} lost: ${cutExcerpt(targets.join(', '))}`;
}

export function noiseWords(detail: Detail): Phrase {
  const noise = readText(detail, 'noise');
  return noise === undefined ? undefined : (ownValue(noises, noise) ?? noise);
}

/**
 * Most lines of plain text that are harmless: a greeting or a few log lines. A server that writes more uses
 * stdout for its log.
 */
const MOST_HARMLESS_LINES = 10;

/**
 * Words that a few lines of plain text were harmless. Lines that begin as a message does are not, because one
 * may have got lost.
 */
export function harmlessWords(detail: Detail): Phrase {
  const excerpt = readText(detail, 'excerpt');
  if (readText(detail, 'noise') !== 'not-json' || excerpt === undefined || /^\s*[[{]/.test(excerpt))
    return undefined;
  const lines = readNumber(detail, 'total') ?? readNumber(detail, 'count') ?? 1;
  return lines <= MOST_HARMLESS_LINES ? 'harmless: text is skipped' : undefined;
}

export function quotedExcerpt(detail: Detail): Phrase {
  const text = readText(detail, 'excerpt');
  return text === undefined ? undefined : quote(cutExcerpt(text));
}

const changes: Readonly<Record<string, string>> = {
  added: 'added to servers.json',
  removed: 'removed from servers.json',
  defaults: 'defaults changed',
};

/** Title of an edit to a server's entry, or to the defaults of all. */
export function changeTitle(detail: Detail): string {
  if (isOnlySwitched(detail)) return detail['isEnabled'] === true ? 'enabled' : 'disabled';
  return ownValue(changes, readText(detail, 'change') ?? '') ?? 'configuration changed';
}

/** Whether a server was enabled or disabled, and nothing else; events of an older panel do not tell which. */
const isOnlySwitched = (detail: Detail): boolean =>
  typeof detail['isEnabled'] === 'boolean' && readList(detail, 'fields').length === 1;

/** Words on the edited fields, by name, and on what follows from the edit. */
export function changeWords(detail: Detail): readonly Phrase[] {
  const servers = readList(detail, 'servers').length;
  return [
    isOnlySwitched(detail) ? undefined : fieldWords(detail),
    servers === 0 ? undefined : `for ${formatPlural(servers, 'server')}`,
    detail['restarts'] === true ? 'restarts it' : undefined,
  ];
}

/** Words on the edited fields: a setting of the panel with both its values, any other by its name. */
function fieldWords(detail: Detail): string {
  const settings = new Map(
    readRecords(detail, 'settings').map((setting) => [readText(setting, 'field'), settingWords(setting)]),
  );
  return readList(detail, 'fields')
    .map((field) => settings.get(field) ?? settingName(field) ?? field)
    .join(', ');
}

export function versionWords(detail: Detail): Phrase {
  const [from, to] = [readText(detail, 'from'), readText(detail, 'to')];
  if (to === undefined) return undefined;
  return from === undefined ? `to ${to}` : `from ${from} to ${to}`;
}

export function placeWords(detail: Detail): Phrase {
  const line = readNumber(detail, 'line');
  if (line === undefined) return readText(detail, 'path');
  const column = readNumber(detail, 'column');
  return `line ${line}${column === undefined ? '' : `, column ${column}`}`;
}

export function countWords(detail: Detail, field: string, noun: string): Phrase {
  const count = readNumber(detail, field);
  return count === undefined ? undefined : formatPlural(count, noun);
}

export function span(detail: Detail, field: string, label: string): Phrase {
  const ms = readNumber(detail, field);
  return ms === undefined ? undefined : `${label} ${formatSpan(ms)}`;
}
