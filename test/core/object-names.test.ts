import { expect, it } from 'vitest';
import { parseSnippet } from '../../electron/core/config/import/parse-snippet.ts';
import { isAsk, refusalOf } from '../../electron/core/gateway/upstream/open-ask.ts';
import { secretsOf } from '../../electron/core/journal/config-secrets.ts';
import { toKeptEvent } from '../../electron/core/journal/journal.ts';
import { createRedactor } from '../../electron/core/journal/redact.ts';
import { redactJson } from '../../electron/core/logs/log-archive.ts';
import { resolveSharing } from '../../electron/core/sessions/sharing/sharing.ts';
import { stateToolsIn } from '../../electron/core/sessions/sharing/client-use.ts';
import { diagnose } from '../../electron/core/supervisor/diagnosis/diagnose.ts';
import { levelOf } from '../../shared/log-level.ts';
import { configOf } from '../support/config-of.ts';
import { objectNames } from '../fixtures/object-names.ts';

const PLAIN = 'stockroom';
const DRAWN = 'aB3dE6gH9kL2mN5p';
const redact = createRedactor([DRAWN]);
const named = (name: string, value: unknown) => Object.fromEntries([[name, value]]) as Record<string, string>;
const run = (...args: string[]) => configOf({ command: 'run', args });

/** Places where a name from elsewhere can stand, each with what is made of it. */
const PLACES: readonly (readonly [string, (name: string) => unknown])[] = [
  ['a server', (name) => parseSnippet(`{"mcpServers":{"${name}":{"command":"run","args":["a"]}}}`)],
  ['a server in TOML', (name) => parseSnippet(`[mcp_servers."${name}"]\ncommand = "run"\nargs = ["a"]`)],
  ['a server in a command', (name) => parseSnippet(`claude mcp add ${name} -- npx -y stock-mcp`)],
  [
    'a program',
    (name) => [
      secretsOf(configOf({ command: name })),
      resolveSharing(configOf({ command: name }), undefined),
    ],
  ],
  ['an argument', (name) => [secretsOf(run(name)), resolveSharing(run(name), undefined)]],
  ['an option', (name) => secretsOf(run(`--${name}`, DRAWN, `--${name}=${DRAWN}`))],
  ['a variable', (name) => secretsOf(configOf({ command: 'run', env: named(name, DRAWN) }))],
  ['a variable of a snippet', (name) => parseSnippet(`{"command":"run","env":{"${name}":"<your-name>"}}`)],
  ['a header', (name) => secretsOf(configOf({ url: 'http://stock.example', headers: named(name, DRAWN) }))],
  [
    'a parameter of an address',
    (name) => secretsOf(configOf({ url: `http://stock.example/?${name}=${DRAWN}` })),
  ],
  [
    'a field of an event',
    (name) => toKeptEvent('client-revoked', { client: 'a', ...named(name, `it said ${DRAWN}`) }, redact),
  ],
  ['a field of a message', (name) => redactJson(`{"${name}":"${DRAWN}","a":1}`, redact)],
  ['a field that is redacted', (name) => redact(named(name, DRAWN))],
  [
    'the level of a line',
    (name) => [levelOf(`level=${name} msg=x`), levelOf(`{"level":"${name}","msg":"x"}`)],
  ],
  ['the variable that an output asks for', (name) => diagnose(`Error: ${name} is required`, [name])],
  ['a tool', (name) => stateToolsIn([name, `set_${name}`])],
  ['a method', (name) => [isAsk(name), refusalOf(name, 'nobody')]],
];

it.each(PLACES)('reads a name that every object has like any other: %s', (_, read) => {
  const plain = JSON.stringify(read(PLAIN));
  for (const name of objectNames) expect(JSON.stringify(read(name)).replaceAll(name, PLAIN)).toBe(plain);
});
