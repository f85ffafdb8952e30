import { expect, it } from 'vitest';
import { maskedTarget, secretsOf } from '../../electron/core/journal/config-secrets.ts';
import { openRedactor } from '../../electron/core/journal/redact.ts';
import { ServerOutput } from '../../electron/core/journal/server-output.ts';
import { redactJson } from '../../electron/core/logs/log-archive.ts';
import { resolveSharing } from '../../electron/core/sessions/sharing/sharing.ts';
import { stateToolsIn } from '../../electron/core/sessions/sharing/client-use.ts';
import { diagnose } from '../../electron/core/supervisor/diagnosis/diagnose.ts';
import { failureSignature } from '../../electron/core/supervisor/restart/restart-tracker.ts';
import { installKey, packageRunOf } from '../../shared/package-run.ts';
import { splitCommandLine } from '../../shared/command-line.ts';
import { PanelError } from '../../shared/error-codes.ts';
import { levelOf } from '../../shared/log-level.ts';
import { serverEntrySchema, toServerConfig, type ServerConfig } from '../../shared/server-config.ts';
import { slowWords } from './long-texts.ts';

interface Fields {
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

/** An entry past its checks, which refuse longer texts and odd names. */
const configOf = (entry: Fields): ServerConfig => {
  const plain = serverEntrySchema.parse(
    'url' in entry ? { url: 'https://stock.example' } : { command: 'run' },
  );
  return toServerConfig('s', { ...plain, ...entry }, (cwd) => cwd);
};
const run = (...args: string[]): Fields => ({ command: 'run', args });
const at = (url: string, headers: Record<string, string> = {}): Fields => ({ url, headers });
const wallClock = { epochMs: () => 0 };
const plain = openRedactor([]);
/** A server whose line is read, with a secret that is as long as the word. */
function hear(word: string, secrets: readonly string[]): void {
  const { redact, spansIn } = openRedactor(secrets);
  const output = new ServerOutput({ wallClock, redact, secretsIn: spansIn });
  output.append(Buffer.from(word));
}

/** What is done in one turn with a word in each place where it can stand. */
const TURNS: readonly (readonly [string, (word: string) => unknown])[] = [
  ...Object.entries<(word: string) => Fields>({
    'an argument': (word) => run(word),
    'the value of an option': (word) => run('--token', word),
    'an attached value': (word) => run(`--option=${word}`),
    'a header among arguments': (word) => run('--header', word),
    'a script': (word) => ({ command: 'sh', args: ['-c', word] }),
    'a command': (word) => ({ command: word }),
    'the name of a variable': (word) => ({ command: 'run', env: { [word]: 'value' } }),
    'the value of a variable': (word) => ({ command: 'run', env: { SETTING: word } }),
    'the secret of a variable': (word) => ({ command: 'run', env: { API_KEY: word } }),
    'the name of a header': (word) => at('https://stock.example', { [word]: 'value' }),
    'the value of a header': (word) => at('https://stock.example', { 'X-Setting': word }),
    'the path of an address': (word) => at(`https://stock.example/${word}`),
    'the query of an address': (word) => at(`https://stock.example/mcp?${word}=${word}`),
  }).flatMap(([place, entryOf]): [string, (word: string) => unknown][] => [
    [`${place}: its secrets`, (word) => secretsOf(configOf(entryOf(word)))],
    [`${place}: what is shown`, (word) => maskedTarget(configOf(entryOf(word)))],
    [`${place}: whether it is shared`, (word) => resolveSharing(configOf(entryOf(word)), undefined)],
    [
      `${place}: the package`,
      (word) => [packageRunOf(configOf(entryOf(word))), installKey(configOf(entryOf(word)))],
    ],
  ]),
  ['the package of a runner', (word) => installKey(configOf({ command: 'uvx', args: [word] }))],
  ['a line of stderr', (word) => hear(word, [])],
  ['a line of stderr of a server with long secrets', (word) => hear(word, [word, word.slice(0, 30 * 1024)])],
  ['a text without secrets', (word) => plain.redact(word)],
  ['a name in an event', (word) => plain.redact({ [word]: word })],
  ['the content of a message', (word) => redactJson(JSON.stringify({ text: word }), plain.redact)],
  ['the end of an output', (word) => diagnose(`Error: ${word}\n${word}`, ['API_KEY'])],
  ['the level of a line', (word) => levelOf(word)],
  ['the reason of a failure', (word) => failureSignature(new PanelError('CRASHED', word))],
  ['the name of a tool', (word) => stateToolsIn([word])],
  ['a command line that is typed', (word) => splitCommandLine(word)],
];

it.each(TURNS)('takes a word of 64 KiB in one short turn: %s', (_, turn) => {
  turn('word');
  expect(slowWords(turn, () => process.cpuUsage().user / 1000)).toEqual([]);
});
