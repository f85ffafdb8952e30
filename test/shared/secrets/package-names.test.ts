import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { maskedTarget, secretsOf } from '../../../electron/core/journal/config-secrets.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { serverEntrySchema, toServerConfig, type ServerEntry } from '../../../shared/server-config.ts';

/** Names of packages on npm that have "mcp" in them. */
const NAMES = readFileSync(join(import.meta.dirname, '../../fixtures/mcp-package-names.txt'), 'utf8')
  .trim()
  .split('\n');

const places: readonly (readonly [string, (name: string) => ServerEntry])[] = [
  ['behind npx -y', (name) => ({ command: 'npx', args: ['-y', name] })],
  ['behind npx -y, with a version', (name) => ({ command: 'npx', args: ['-y', `${name}@1.2.3`, '--stdio'] })],
  ['behind a letter', (name) => ({ command: 'npx', args: ['-p', name, '-x', name] })],
  ['as an argument', (name) => ({ command: 'run', args: [name, `--server=${name}`] })],
  ['in a script', (name) => ({ command: 'sh', args: ['-c', `cd / && npx -y ${name}`] })],
  ['as a variable', (name) => ({ command: 'run', env: { SERVER: name } })],
  ['as a segment of an address', (name) => ({ url: `https://stock.example/${name}/mcp` })],
  ['as a parameter', (name) => ({ url: `https://stock.example/mcp?server=${name}` })],
];

describe('the name of a package', () => {
  it('has its fixture', () => expect(NAMES.length).toBeGreaterThanOrEqual(924));

  it.each(places)('is no secret %s', (_, place) => {
    const taken = NAMES.filter((name) => {
      const entry = place(name);
      const config = toServerConfig('s', serverEntrySchema.parse(entry), (cwd) => cwd);
      return maskedTarget(config).includes('[redacted]') || secretsOf(config).length > 0;
    });
    expect(taken).toEqual([]);
  });

  it('is no secret in a line of a log', () => {
    const redact = createRedactor([]);
    const lines = NAMES.flatMap((name) => [
      `starting ${name} on stdio`,
      `npm warn exec The following package was not found and will be installed: ${name}@0.1.2`,
      `GET https://stock.example/${name}/mcp?server=${name} 200`,
    ]);
    expect(lines.filter((line) => redact(line) !== line)).toEqual([]);
  });
});
