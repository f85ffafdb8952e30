import { homedir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referencesIn, replaceReferences, scriptStart } from '../../../electron/core/secrets/references.ts';
import { resolveReferences } from '../../../electron/core/secrets/resolve-config.ts';
import { panelSettingsSchema } from '../../../shared/panel-settings.ts';
import type { ServerConfig, StdioServerConfig } from '../../../shared/server-config.ts';

const secrets = new Map([
  ['TOKEN', 'token-value'],
  ['NESTED', '${secret:TOKEN} ${HOME} <YOUR_TOKEN>'],
  ['login', 'input-value'],
]);
const variables = new Map([
  ['HOME', '/home/ada'],
  ['EMPTY', ''],
]);
const sources = {
  secret: (name: string) => secrets.get(name),
  variable: (name: string) => variables.get(name),
  isMeant: () => false,
};
const base = { name: 'github', enabled: true, panel: panelSettingsSchema.parse(undefined) };
const stdio = (fields: Partial<StdioServerConfig>): StdioServerConfig => ({
  ...{ ...base, transport: 'stdio', command: 'run', args: [], env: {} },
  ...fields,
});
const resolve = (config: ServerConfig) => resolveReferences(config, sources);
/** The value of a variable, or what is missing. */
function valueOf(text: string): string | readonly string[] {
  const { config, missing } = resolve(stdio({ env: { X: text } }));
  if (missing.length > 0) return missing.map(({ reference }) => reference.name);
  return config.transport === 'stdio' ? (config.env['X'] ?? '') : '';
}

describe('references', () => {
  it.each([
    ['${secret:TOKEN}', 'token-value'],
    ['Bearer ${secret:TOKEN}!', 'Bearer token-value!'],
    ['${env:HOME}/x', '/home/ada/x'],
    ['${HOME}', '/home/ada'],
    ['${PORT:-3000}', '3000'],
    ['${EMPTY:-3000}', '3000'],
    ['${HOME:-3000}', '/home/ada'],
    ['a${EMPTY}b', 'ab'],
    ['${input:login}', 'input-value'],
    ['${userHome}', homedir()],
    ['$${secret:TOKEN}', '${secret:TOKEN}'],
    ['$$${HOME}', '$${HOME}'],
    ['op://vault/item', 'op://vault/item'],
    ['se://item', 'se://item'],
    ['${', '${'],
    ['${}', '${}'],
    ['${a${HOME}', '${a/home/ada'],
    ['100$ and 5%', '100$ and 5%'],
    ['Array<string>', 'Array<string>'],
    ['${secret:NESTED}', '${secret:TOKEN} ${HOME} <YOUR_TOKEN>'],
  ])('%s stands for %s', (text, value) => expect(valueOf(text)).toBe(value));

  it.each([
    ['${secret:NONE}', ['NONE']],
    ['${NONE} ${env:NEITHER}', ['NONE', 'NEITHER']],
    ['${input:none}', ['none']],
    ['${workspaceFolder}', ['${workspaceFolder}']],
    ['${command:login}', ['${command:login}']],
    ['$NONE', ['$NONE']],
    ['%NONE%', ['%NONE%']],
    ['<YOUR_TOKEN>', ['<YOUR_TOKEN>']],
    ['{{token}}', ['{{token}}']],
    ['[your token]', ['[your token]']],
  ])('%s is asked for', (text, missing) => expect(valueOf(text)).toEqual(missing));

  it('are replaced in variables, headers, arguments and URLs', () => {
    const { config, used } = resolve(
      stdio({ args: ['--token', '${secret:TOKEN}', '--pat=${secret:TOKEN}'] }),
    );
    expect(config).toMatchObject({ args: ['--token', 'token-value', '--pat=token-value'] });
    expect([...used]).toEqual(['TOKEN']);
    const remote = resolve({
      ...{ ...base, transport: 'http' },
      url: 'https://${env:HOST:-example.com}/mcp?key=${secret:TOKEN}',
      headers: { Authorization: 'Bearer ${secret:TOKEN}' },
    });
    expect(remote.config).toMatchObject({
      url: 'https://example.com/mcp?key=token-value',
      headers: { Authorization: 'Bearer token-value' },
    });
  });

  it('of the environment stand in command and folder, and no secret does', () => {
    const { config } = resolve(stdio({ command: '${HOME}/bin/run', cwd: '${env:HOME}/data' }));
    expect(config).toMatchObject({ command: '/home/ada/bin/run', cwd: '/home/ada/data' });
    for (const field of ['command', 'cwd'])
      expect(() => resolve(stdio({ [field]: '/x/${secret:TOKEN}' }))).toThrow(/cannot be used in/);
  });

  it('belong to the shell in its scripts, but for secrets and inputs', () => {
    const script = 'echo ${HOME} $NONE <file> ${secret:TOKEN} ${input:login}';
    for (const [command, ...args] of [
      ['sh', '-c', script],
      ['/bin/bash', '-lc', script],
      ['powershell.exe', '-NoProfile', '-Command', script],
      ['cmd', '/c', script],
      ['docker', 'run', 'image', 'sh', '-c', script],
      ['node', '-e', script],
    ])
      expect(resolve(stdio({ command: command ?? '', args })).config).toMatchObject({
        args: [...args.slice(0, -1), 'echo ${HOME} $NONE <file> token-value input-value'],
      });
    expect(scriptStart('npx', ['-y', 'server', '-c', 'x'])).toBe(Infinity);
  });

  it('are refused where their value cannot stand', () => {
    secrets.set('LINES', 'two\nlines');
    const config = {
      ...base,
      transport: 'http',
      url: 'https://example.com',
      headers: { A: '${secret:LINES}' },
    } as const;
    expect(() => resolve(config)).toThrow(/headers.A has characters/);
    expect(() => resolve({ ...config, headers: {}, url: '${secret:TOKEN}' })).toThrow(
      /does not make an http/,
    );
  });

  it('are replaced in one pass, whatever the values hold', () => {
    const piece = fc.constantFrom(
      '${secret:A}',
      '${B}',
      '$${',
      '${',
      '}',
      '$',
      '<YOUR_KEY>',
      'x',
      '${input:c}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 6 }), (texts, values) => {
        const text = texts.join('');
        const value = values.join('');
        const references = referencesIn(text, 'env');
        const marked = replaceReferences(text, references, ({ kind }) =>
          kind === 'literal' ? '${' : '\u0001',
        );
        const replaced = replaceReferences(text, references, ({ kind }) =>
          kind === 'literal' ? '${' : value,
        );
        expect(replaced).toBe(marked.split('\u0001').join(value));
      }),
    );
  });

  it('are read in linear time', () => {
    const text = '${'.repeat(32_000);
    expect(referencesIn(text, 'env')).toEqual([]);
  });
});
