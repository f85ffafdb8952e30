import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  redactLines,
  type DiagnosticsSources,
} from '../../../electron/core/diagnostics/collect-diagnostics.ts';
import { configLines } from '../../../electron/core/diagnostics/config-lines.ts';
import { wireErrorOf } from '../../../electron/core/gateway/session/answers.ts';
import { maskedTarget } from '../../../electron/core/journal/config-secrets.ts';
import { Journal } from '../../../electron/core/journal/journal.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { redactJson } from '../../../electron/core/logs/log-archive.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { redactState } from '../../../electron/core/supervisor/state-reason.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { configOf } from '../../support/config-of.ts';
import { secretPlaces, spellingsOf } from '../../fixtures/secret-places.ts';
import { tempFolder } from '../../support/temp-folder.ts';

async function openJournal(configs: readonly ServerConfig[], declared: readonly string[]) {
  const folder = tempFolder('planted-');
  const onProblem = (problem: string) => expect.fail(problem);
  const clocks = { clock: systemClock, wallClock: systemClock };
  const journal = await Journal.open({ folder, ...clocks, launchId: 'aaaa', onProblem });
  journal.setConfigs(configs);
  journal.setDeclared(declared);
  return { folder, journal };
}

/** Everything that the panel keeps, shows, exports and sends to clients of a server that says `text` in each way it has. */
async function everywhere(config: ServerConfig, declared: readonly string[], texts: readonly string[]) {
  const { folder, journal } = await openJournal([config], declared);
  const redact = (text: string) => journal.redactText(text);
  const output = journal.openOutput('one');
  output.begin(1);
  const others: unknown[] = [maskedTarget(config), configLines(config)];
  // As the thread that reads logs and traffic makes its own of the list that it is sent.
  const archived = createRedactor(journal.secrets);
  const userHome = { userHome: '/home/nobody' };
  for (const text of texts) {
    const said = `it said ${text} and went on`;
    // As a pipe may cut it: within the secret.
    const bytes = Buffer.from(`${said}\n`);
    for (let start = 0; start < bytes.length; start += 7) output.append(bytes.subarray(start, start + 7));
    output.say('mcp', said, 'error');
    output.say('protocol', said);
    const crash = { message: said, stderrTail: said, calls: [{ method: text }] };
    journal.append('one', 'crashed', { code: 'CRASHED', ...crash });
    const error = new PanelError('SERVER_ERROR', said, { remedy: said, data: { [text]: said, text } });
    const state = {
      kind: 'failed' as const,
      since: 0,
      reason: said,
      reasonData: { phrase: said, wrong: said },
    };
    const sources = { redact: (line: string) => journal.redactOnce(line), ...userHome };
    others.push(
      wireErrorOf(error, 'one', redact),
      redactState(state, redact),
      redactJson(JSON.stringify({ method: text, params: { [text]: said } }), archived),
      await redactLines(sources as DiagnosticsSources, [said]),
    );
  }
  output.append(Buffer.from(`half a line of ${texts[0]}`));
  const shown = JSON.stringify([journal.events, output.since(0), output.tail(), output.recent(), others]);
  await journal.dispose();
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  expect(kept).toHaveLength(2);
  return { shown, kept: kept.join('\n') };
}

/** Eight characters of a spelling that stand in a text. */
const leftOf = (spelling: string, text: string): string | undefined => {
  for (let start = 0; start + 8 <= spelling.length; start += 1) {
    const piece = spelling.slice(start, start + 8);
    if (text.includes(piece) || text.includes(JSON.stringify(piece).slice(1, -1))) return piece;
  }
  return undefined;
};

const REFERENCE = '${secret:PLANTED}';
const X = 'zQ8-canary-41d7';

describe.each(secretPlaces)('a declared secret in %s', (_, entryOf) => {
  it('is nowhere in what is kept, shown, exported or sent, however its server writes it', async () => {
    const spellings = spellingsOf(X);
    const texts = spellings.map(([, text]) => text);
    const { shown, kept } = await everywhere(configOf(entryOf(REFERENCE)), [X], texts);
    for (const [way, text] of spellings) {
      const bare = way === 'plain' || !/[{/'"]/.test(text) ? text.replace(/^abc|def$/g, '') : X;
      expect([way, leftOf(bare, shown), leftOf(bare, kept)]).toEqual([way, undefined, undefined]);
    }
    expect(shown).toContain('and went on');
    expect(kept).toContain('and went on');
  });
});

describe('a declared secret of another kind', () => {
  it.each([
    ['a value like a path', '/a8/f3kd92/Lq7x'],
    ['with the characters that JSON and URLs escape', 'pa"ss\\w/rd+ü&=%'],
    ['of words', 'correct horse battery staple'],
    ['of several lines', '-----BEGIN KEY-----\nMIIBcanary41d7\nZQ8canaryLine\n-----END KEY-----'],
    ['of a thousand characters', 'aB3-x_9Z'.repeat(125)],
  ])('is nowhere, either: %s', async (_, x) => {
    const spellings = spellingsOf(x).map(([, text]) => text);
    const { shown, kept } = await everywhere(configOf({ command: 'run' }), [x], spellings.slice(0, 8));
    for (const line of x.split('\n').filter((one) => !one.startsWith('-----')))
      for (const text of [line, encodeURIComponent(line)])
        expect([text, leftOf(text, shown), leftOf(text, kept)]).toEqual([text, undefined, undefined]);
  });

  it('that was replaced is looked for as long as its server may have it', async () => {
    const { journal } = await openJournal([], [X]);
    journal.setDeclared(['another-value-9']);
    expect(journal.redactText(`${X} another-value-9`)).toBe('[redacted] [redacted]');
  });

  it('of 4 or 5 characters is found as a word of its own, and not within others', async () => {
    const { shown, kept } = await everywhere(
      configOf({ command: 'run' }),
      ['4711'],
      ['pin 4711, "4711" (4711)', 'port 47110'],
    );
    for (const text of [shown, kept]) {
      expect(text).toMatch(/pin \[redacted\], .*\[redacted\].* \(\[redacted\]\)/);
      expect(text).toContain('port 47110');
    }
  });
});

describe('a literal of the configuration', () => {
  /** Where a literal that looks drawn is not looked for before it is declared, because no name tells it. */
  const open = new Set([
    'a positional argument',
    'an option of any name',
    'behind the package of npx',
    'a cookie',
    'JSON in an argument',
    'a file name among arguments',
  ]);
  it.each(secretPlaces)(
    'that looks drawn is blacked out before it is moved, or named as open: %s',
    async (place, entryOf) => {
      const { shown, kept } = await everywhere(configOf(entryOf(X)), [], [X]);
      expect([shown.includes(X), kept.includes(X)]).toEqual([open.has(place), open.has(place)]);
    },
  );
});

describe('what is no secret', () => {
  const names = readFileSync(join(import.meta.dirname, '../../fixtures/mcp-package-names.txt'), 'utf8')
    .trim()
    .split('\n');

  it('is never blacked out: names of packages and servers, ports, words', async () => {
    const everyday = [
      ...names,
      ...['postgres', 'filesystem', 'github', 'my-notes-2', '8080', '127.0.0.1:43117', 'localhost:3000'],
      ...[
        'production',
        'information',
        'eu-central-1',
        'claude-sonnet-4-5-20250929',
        'v22.11.0',
        'en_GB.UTF-8',
      ],
    ];
    expect(everyday.length).toBeGreaterThan(924);
    const configs = everyday.map((name) =>
      configOf({
        command: 'npx',
        args: ['-y', name, '--name', name, '--port', '8080'],
        env: { NAME: name, MODE: name },
      }),
    );
    // A server whose password is its own name.
    const own = configOf({ command: 'run', env: { POSTGRES_PASSWORD: 'postgres' } }, 'postgres');
    const { journal } = await openJournal([...configs, own], [X]);
    const taken = everyday.filter((name) =>
      [
        `starting ${name} on stdio`,
        `"${name}"`,
        `npm error 404 ${name}@1.2.3`,
        `npm warn exec The following package was not found and will be installed: ${name}@0.1.2`,
        `GET https://stock.example/${name}/mcp?server=${name} 200`,
        `/opt/${name}/index.js`,
      ].some((line) => journal.redactText(line) !== line),
    );
    expect(taken).toEqual([]);
  });
});
