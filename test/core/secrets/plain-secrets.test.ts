import { expect, it } from 'vitest';
import { plainSecretsOf, suggestName } from '../../../electron/core/secrets/plain-secrets.ts';
import { panelSettingsSchema } from '../../../shared/panel-settings.ts';

const base = { name: 'git hub', enabled: true, panel: panelSettingsSchema.parse(undefined) };
const stdio = { ...base, transport: 'stdio', command: 'npx', args: [], env: {} } as const;
const VALUE = 'ghp_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R';

it.each([
  ['a variable', { env: { GITHUB_TOKEN: VALUE } }, ['env', 'GITHUB_TOKEN'], 'GITHUB_TOKEN'],
  ['an option', { args: ['-y', 'server', '--token', VALUE] }, ['args', 3], 'git_hub_token'],
  ['a part of an argument', { args: [`--token=${VALUE}`] }, ['args', 0], 'git_hub_token'],
])('a key in %s is found, with a name for it', (_, fields, place, name) => {
  const [found, ...others] = plainSecretsOf({ ...stdio, ...fields });
  expect(found).toMatchObject({ place, value: VALUE });
  expect(others).toEqual([]);
  expect(found && suggestName(found, new Map())).toBe(name);
});

it('a token in a header is found without its scheme, and a key in a URL', () => {
  const headers = { Authorization: `Bearer ${VALUE}`, Accept: 'text/plain' };
  const url = `https://example.com/mcp?key=${VALUE}`;
  expect(plainSecretsOf({ ...base, transport: 'http', url, headers })).toMatchObject([
    { place: ['url'], value: VALUE },
    { place: ['headers', 'Authorization'], value: VALUE },
  ]);
});

it('what is a reference or a placeholder already is not found, nor an ordinary value', () => {
  const env = {
    A_TOKEN: '${secret:A}',
    B_KEY: '${env:B}',
    C_SECRET: '<YOUR_SECRET>',
    PORT: '3000',
  };
  expect(plainSecretsOf({ ...stdio, env, args: ['-y', '@scope/server', '/home/ada'] })).toEqual([]);
});

it('another value under the same name gets a name of its own', () => {
  const found = { server: 'one', label: 'API_KEY', value: VALUE };
  expect(suggestName(found, new Map([['API_KEY', VALUE]]))).toBe('API_KEY');
  expect(suggestName(found, new Map([['API_KEY', 'other']]))).toBe('API_KEY_2');
});
