import { describe, expect, it } from 'vitest';
import { serverEntrySchema, toServerConfig, type ServerEntry } from '../../../shared/server-config.ts';
import { secretsOf } from '../../../electron/core/journal/config-secrets.ts';

const secrets = (entry: ServerEntry) =>
  secretsOf(toServerConfig('s', serverEntrySchema.parse(entry), (cwd) => cwd));
const inEnv = (env: Record<string, string>) => secrets({ command: 'run', env });

describe('secretsOf', () => {
  it.each(['API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'MY_PASS', 'OAUTH_CLIENT', 'SESSION_COOKIE', 'APIKEY'])(
    'takes the value of %s for one, whatever it looks like',
    (name) => {
      expect(inEnv({ [name]: 'abc' })).toEqual(['abc']);
    },
  );

  it('takes every other longer value for one that could be', () => {
    expect(inEnv({ SETTING: 'CANARY-1234', SHORT: 'abc', EMPTY: '' })).toEqual(['CANARY-1234']);
  });

  it.each([
    ['HOME', '/home/someone/projects'],
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['DATA', 'C:\\Users\\me\\data'],
    ['RELATIVE', './some/folder'],
    ['NODE_ENV', 'production'],
    ['HOST', '127.0.0.1:8080'],
    ['AUTHOR', 'anybody'],
  ])('does not take %s=%s for one', (name, value) => {
    expect(inEnv({ [name]: value })).toEqual([]);
  });

  it('finds the password and the telling parameters of a URL, as they are and decoded', () => {
    const found = inEnv({ DATABASE_URL: 'postgres://me:p%40ssword@db/x?sslkey=k3y' });
    expect(found).toEqual(expect.arrayContaining(['p%40ssword', 'p@ssword', 'k3y']));
    expect(secrets({ url: 'https://host/mcp?api_key=abc&page=1' })).toEqual(['abc']);
    expect(secrets({ url: 'https://t0ken@host/mcp' })).toEqual(['t0ken']);
    expect(inEnv({ X: 'http://[broken' })).toEqual(['http://[broken']);
  });

  it('finds credentials in headers, with and without their scheme, and leaves plain headers', () => {
    const headers = {
      Authorization: 'Bearer abc-123456',
      'X-Custom': 'canary-99',
      Accept: 'application/json',
    };
    expect(secrets({ url: 'http://localhost/mcp', headers })).toEqual([
      'Bearer abc-123456',
      'abc-123456',
      'canary-99',
    ]);
  });

  it('finds options whose name says so', () => {
    const args = [
      '--verbose',
      '--api-key',
      'k1',
      '--token=t=1',
      'PASSWORD=p1',
      '--secret',
      '--port',
      '80',
      'a.js',
    ];
    expect(secrets({ command: 'run', args })).toEqual(['k1', 't=1', 'p1']);
    expect(secrets({ command: 'run', args: ['mongodb://u:pw123@h/'] })).toEqual(['pw123']);
  });
});
