import type { EventDetail } from '../../shared/events.ts';
import type { LoopTask } from '../../shared/panel-figures.ts';
import { withoutFullStop } from './error-words.ts';
import {
  countOf,
  cutExcerpt,
  excerptOf,
  fact,
  numberOf,
  prefixed,
  rawText,
  said,
  span,
  timesOf,
  type Phrase,
  type SentencesOf,
} from './event-sentences.ts';
import { formatPlural } from './figures.ts';
import { settingName, settingWords } from './setting-words.ts';

type SurroundingKind =
  | 'protocol-noise'
  | 'config-changed'
  | 'config-rejected'
  | 'panel-started'
  | 'panel-quit'
  | 'system-resumed'
  | 'panel-blocked'
  | 'server-version-changed'
  | 'offer-changed'
  | 'alert-failed';

/** Sentences for events outside the servers: about their configuration, the panel itself and the machine. */
export const surroundingSentences: SentencesOf<SurroundingKind> = {
  'protocol-noise': {
    name: 'Invalid output',
    mark: 'note',
    say: (detail) => [
      'wrote output that is not MCP',
      countOf(detail.count, 'line'),
      malformedText(detail.noise),
      excerptOf(detail.excerpt),
      harmlessWords(detail),
    ],
    tell: ({ noise, count, excerpt }) => ({
      facts: [fact('Kind', malformedText(noise)), fact('Lines', numberOf(count))],
      output: rawText(excerpt),
      outputTerm: 'What it wrote',
      advice: 'stdout belongs to the protocol: a server should log to stderr.',
    }),
  },
  'config-changed': {
    name: 'Configuration changed',
    mark: 'cause',
    say: (detail) => [
      changeTitle(detail),
      isOnlySwitched(detail) ? undefined : fieldWords(detail),
      detail.servers && `for ${formatPlural(detail.servers.length, 'server')}`,
      detail.restarts === true ? RESTARTS_IT : undefined,
    ],
  },
  'config-rejected': {
    name: 'Configuration refused',
    mark: 'suspect',
    say: ({ message = '', line, column, path }) => [
      'configuration refused',
      cutExcerpt(withoutFullStop(message)),
      line === undefined ? path : `line ${line}${column === undefined ? '' : `, column ${column}`}`,
    ],
    tell: ({ message, path }) => ({
      facts: [fact('What happened', said(message)), fact('File', said(path))],
    }),
  },
  'panel-started': {
    name: 'Panel started',
    mark: 'cause',
    say: ({ version, absentMs, endedUncleanly }) => [
      'panel started',
      version,
      span('was not running for', absentMs),
      endedUncleanly === true ? 'had ended without quitting' : undefined,
    ],
  },
  'panel-quit': { name: 'Panel quit', mark: 'cause', say: () => ['panel quit'] },
  'system-resumed': {
    name: 'Woke from sleep',
    mark: 'cause',
    say: ({ sleptMs }) => ['woke from sleep', span('asleep for', sleptMs)],
  },
  'panel-blocked': {
    name: 'Panel was blocked',
    mark: 'cause',
    say: ({ durationMs, currentTask, count }) => [
      'slowed the panel down',
      span('for', durationMs),
      tasks.get(currentTask),
      timesOf(count),
    ],
  },
  'server-version-changed': {
    name: 'Server version changed',
    mark: 'cause',
    say: ({ from, to }) => [
      'server version changed',
      to && `${from === undefined ? '' : `from ${from} `}to ${to}`,
    ],
  },
  'offer-changed': {
    name: 'Tools changed',
    mark: 'cause',
    say: ({ held, shown, version }) => [
      'describes its tools differently',
      prefixed('since version', version),
      shown ? `${formatPlural(shown, 'change')} passed on` : undefined,
      held ? `${formatPlural(held, 'change')} held back` : undefined,
    ],
  },
  'alert-failed': {
    name: 'Alert not sent',
    mark: 'suspect',
    say: ({ reason, count = 1 }) => [count > 1 ? `${count} alerts not sent` : 'alert not sent', said(reason)],
    tell: () => ({ advice: 'Settings, Alerts: look at the webhook, and send a test.' }),
  },
};

const noises: ReadonlyMap<Phrase, string> = new Map([
  ['not-json', 'not JSON'],
  ['not-a-message', 'not a message'],
  ['bad-utf8', 'not UTF-8'],
  ['too-long', 'too long'],
  ['too-many', 'more at one time than is read'],
  ['too-many-values', 'too many values to be read'],
  ['cut-off', 'cut off'],
  ['unmatched', 'an answer to no request'],
  ['not-handled', 'a message that cannot be handled'],
]);

const malformedText = (noise: Phrase): Phrase => noises.get(noise) ?? said(noise);

/** Maximum lines of plain text on stdout, such as a banner, that count as harmless. With more lines, stdout is a log. */
const MOST_HARMLESS_LINES = 10;

/** Says that a few lines of plain text were harmless; undefined if they begin like a message, because one may have been lost. */
function harmlessWords({ noise, excerpt, total, count = 1 }: EventDetail<'protocol-noise'>): Phrase {
  const text = said(excerpt);
  if (noise !== 'not-json' || text === undefined || '[{'.includes(text.charAt(0))) return undefined;
  return (total ?? count) <= MOST_HARMLESS_LINES ? 'harmless: text is skipped' : undefined;
}

const changes: ReadonlyMap<Phrase, string> = new Map([
  ['added', 'added to servers.json'],
  ['removed', 'removed from servers.json'],
  ['defaults', 'defaults changed'],
]);

/** Text that says that an edit restarts the server. */
export const RESTARTS_IT = 'restarts it';

/** Returns the title for an edit of a server's entry, or of the defaults for all servers. */
function changeTitle(detail: EventDetail<'config-changed'>): string {
  if (isOnlySwitched(detail)) return detail.isEnabled === true ? 'enabled' : 'disabled';
  return changes.get(detail.change) ?? 'configuration changed';
}

/** True if the only change was to enable or disable a server. Events of an older panel version do not contain `isEnabled`. */
const isOnlySwitched = ({ isEnabled, fields }: EventDetail<'config-changed'>): boolean =>
  isEnabled !== undefined && fields?.length === 1;

/**
 * Returns the text about the edited fields. A panel setting is shown with its old and new value, all other fields only by name.
 */
function fieldWords({ fields = [], settings = [] }: EventDetail<'config-changed'>): string {
  const words = new Map(settings.map((setting) => [setting.field, settingWords(setting)]));
  return fields.map((field) => words.get(field) ?? settingName(field) ?? field).join(', ');
}

/** Texts for the task that was running when the event loop was late. */
const wordsByTask: Readonly<Record<LoopTask, string>> = {
  'read-output': 'reading its messages',
  'read-stderr': 'reading its stderr',
  'apply-config': 'applying servers.json',
  sample: 'processing the figures of all servers',
  'serve-clients': 'processing requests of clients',
  'tell-window': 'updating the window',
};
const tasks: ReadonlyMap<Phrase, string> = new Map(Object.entries(wordsByTask));
