import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServerEntry } from '../../../shared/server-config.ts';
import { configOf } from '../../support/config-of.ts';
import { maskedTarget, secretsOf } from '../../../electron/core/journal/config-secrets.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { isSecretValue } from '../../../shared/secrets/secret-names.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const secrets = (entry: ServerEntry) => secretsOf(configOf(entry));
const inEnv = (env: Record<string, string>) => secrets({ command: 'run', env });

describe('secretsOf', () => {
  it.each(['API_KEY', 'GITHUB_TOKEN', 'DB_PASSWORD', 'MY_PASS', 'OAUTH_CLIENT', 'SESSION_COOKIE', 'APIKEY'])(
    'takes the value of %s for one, whatever it looks like',
    (name) => {
      expect(inEnv({ [name]: 'abc' })).toEqual(['abc']);
    },
  );

  it('takes those among the arguments of its own health check, however deep', () => {
    const check = {
      tool: 'ping',
      arguments: { db: 'main', login: [{ user: 'me', password: 'abc' }], key: 'Xk39fbT2q8LmZ0vYtR' },
    };
    expect(secrets({ command: 'run', panel: { health: { check } } })).toEqual(['abc', 'Xk39fbT2q8LmZ0vYtR']);
  });

  it('takes another value for one only where it looks drawn', () => {
    expect(inEnv({ SETTING: 'cAn4-ry12x34', WORDS: 'CANARY-1234', SHORT: 'abc', EMPTY: '' })).toEqual([
      'cAn4-ry12x34',
    ]);
  });

  it.each([
    ['HOME', '/home/someone/projects'],
    ['PATH', '/usr/local/bin:/usr/bin:/bin'],
    ['DATA', 'C:\\Users\\me\\data'],
    ['RELATIVE', './some/folder'],
    ['NODE_ENV', 'production'],
    ['HOST', '127.0.0.1:8080'],
    ['AUTHOR', 'anybody'],
    ['LOG_LEVEL', 'information'],
    ['REGION', 'eu-central-1'],
    ['BROWSER', 'chromium'],
    ['LANGUAGE', 'en_GB.UTF-8'],
    ['BASE_URL', 'https://stock.example/api/v2'],
    ['TOOLSETS', 'repos,issues,pull_requests'],
    ['MODEL', 'claude-sonnet-4-5-20250929'],
    ['PWD', '/home/someone'],
    ['SORT_KEY', 'name'],
  ])('does not take %s=%s for one', (name, value) => {
    expect(inEnv({ [name]: value })).toEqual([]);
  });

  it('finds the password and the telling parameters of a URL, as they are and decoded', () => {
    const found = inEnv({ DATABASE_URL: 'postgres://me:p%40ssword@db/x?sslkey=k3y' });
    expect(found).toEqual(expect.arrayContaining(['p%40ssword', 'p@ssword', 'k3y']));
    expect(secrets({ url: 'https://host/mcp?api_key=abc&page=1' })).toEqual(['abc']);
    expect(secrets({ url: 'https://t0ken@host/mcp' })).toEqual(['t0ken']);
    expect(inEnv({ X: 'http://[broken' })).toEqual([]);
  });

  it('finds credentials in headers, with and without their scheme, and leaves plain headers', () => {
    const headers = {
      Authorization: 'Bearer abc-123456',
      'X-Custom': 'cAn4-ry12x34',
      'X-Region': 'eu-central-1',
      Accept: 'application/json',
    };
    expect(secrets({ url: 'http://localhost/mcp', headers })).toEqual([
      'Bearer abc-123456',
      'abc-123456',
      'cAn4-ry12x34',
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

/** Canary that nobody draws at random. */
const X = 'zQ8-canary-41d7';
const inArgs = (...args: string[]): ServerEntry => ({ command: 'run', args });
const at = (url: string, headers: Record<string, string> = {}): ServerEntry => ({ url, headers });

/**
 * Forms in which people hand secrets to servers; each holds X. The third item is what the window shows of it.
 */
const forms: [string, ServerEntry, string][] = [
  ['a variable', { command: 'run', env: { API_TOKEN: X } }, 'run'],
  ['a variable of any name', { command: 'run', env: { SOME_SETTING: X } }, 'run'],
  ['a quoted variable', { command: 'run', env: { TOKEN: `"${X}"` } }, 'run'],
  ['a password in a URL in a variable', { command: 'run', env: { DB: `redis://:${X}@h/0` } }, 'run'],
  ['a header', at('http://h/mcp', { Authorization: `Bearer ${X}` }), 'http://h/mcp'],
  ['a header of any name', at('http://h/mcp', { 'X-Workspace': X }), 'http://h/mcp'],
  ['an option', inArgs('--api-key', X), 'run --api-key [redacted]'],
  ['an option with =', inArgs(`--token=${X}`), 'run --token=[redacted]'],
  ['an option in camel case', inArgs('--apiKey', X), 'run --apiKey [redacted]'],
  ['an option with one dash', inArgs('-token', X), 'run -token [redacted]'],
  ['an option with quotes', inArgs(`--token="${X}"`), 'run --token="[redacted]"'],
  ['an option behind a dash in the value', inArgs('--password', `-${X}`), 'run --password [redacted]'],
  ['a letter', inArgs('-k', X), 'run -k [redacted]'],
  ['user and password', inArgs('-u', `me:${X}`), 'run -u me:[redacted]'],
  ['user and password, spelt out', inArgs(`--user=me:${X}`), 'run --user=me:[redacted]'],
  [
    'a header in two arguments',
    inArgs('--header', `Authorization: Bearer ${X}`),
    'run --header Authorization: [redacted]',
  ],
  [
    'a header without a space',
    inArgs('--header', `Authorization:Bearer ${X}`),
    'run --header Authorization:[redacted]',
  ],
  ['a header of any name in arguments', inArgs('-H', `X-Workspace: ${X}`), 'run -H X-Workspace: [redacted]'],
  ['a header in one argument', inArgs(`--header=X-Api-Key: ${X}`), 'run --header=X-Api-Key: [redacted]'],
  ['an assignment', inArgs('env', `GITHUB_TOKEN=${X}`), 'run env GITHUB_TOKEN=[redacted]'],
  ['a variable of docker', inArgs('run', '-e', `NAME=${X}`, 'img'), 'run run -e NAME=[redacted] img'],
  ['a variable of docker in one argument', inArgs(`-eNAME=${X}`), 'run -eNAME=[redacted]'],
  ['a variable of docker, spelt out', inArgs(`--env=NAME=${X}`), 'run --env=NAME=[redacted]'],
  ['a variable with a colon', inArgs('--env', `KEY:${X}`), 'run --env KEY:[redacted]'],
  ['a variable of claude', inArgs('-e', `KEY=${X}`), 'run -e KEY=[redacted]'],
  ['a connection string', inArgs(`postgres://me:${X}@db:5432/x`), 'run postgres://me:[redacted]@db:5432/x'],
  [
    'a connection string of words',
    inArgs(`host=db user=me password=${X}`),
    'run host=db user=me password=[redacted]',
  ],
  [
    'a connection string of pairs',
    inArgs('--dsn-text', `Server=db;Password=${X};Timeout=5`),
    'run --dsn-text Server=db;Password=[redacted];Timeout=5',
  ],
  ['JSON', inArgs('--config', `{"port":1,"apiKey":"${X}"}`), 'run --config {"port":1,"apiKey":"[redacted]"}'],
  ['a setting', inArgs('--set', `auth.token=${X}`), 'run --set auth.token=[redacted]'],
  [
    'a command line for a shell',
    { command: 'sh', args: ['-c', `npx a --api-key ${X} && b`] },
    'sh -c npx a --api-key [redacted] && b',
  ],
  [
    'a command line with an assignment',
    { command: 'sh', args: ['-c', `TOKEN='${X}' npx a`] },
    "sh -c TOKEN='[redacted]' npx a",
  ],
  [
    'a command line that has it twice, once where nothing tells it',
    { command: 'sh', args: ['-c', `TOKEN='${X}' npx a --any ${X}`] },
    "sh -c TOKEN='[redacted]' npx a --any [redacted]",
  ],
  [
    'a query in an argument',
    inArgs(`https://h/mcp?api_key=${X}&page=1`),
    'run https://h/mcp?api_key=[redacted]&page=1',
  ],
  ['a path in an argument', inArgs(`https://h/mcp/${X}/sse`), 'run https://h/mcp/[redacted]/sse'],
  ['a query', at(`https://h/mcp?api_key=${X}`), 'https://h/mcp'],
  ['a short name in a query', at(`https://h/mcp?k=${X}`), 'https://h/mcp'],
  ['a fragment', at(`https://h/mcp#token=${X}`), 'https://h/mcp'],
  ['a path', at(`https://h/mcp/${X}/sse`), 'https://h/mcp/[redacted]/sse'],
  ['a path behind a name', at(`https://h/token/${X}/mcp`), 'https://h/token/[redacted]/mcp'],
  ['a user in a URL', at(`https://${X}@h/mcp`), 'https://h/mcp'],
  ['a personal access token', inArgs('--pat', X), 'run --pat [redacted]'],
  ['a connection option', inArgs('--connection-string', X), 'run --connection-string [redacted]'],
  ['a path behind a letter', at(`https://h/s/${X}/mcp`), 'https://h/s/[redacted]/mcp'],
  ['a fragment without a name', inArgs(`https://h/mcp#${X}`), 'run https://h/mcp#[redacted]'],
  ['an option of a package', { command: 'npx', args: ['-y', 'a', '--key', X] }, 'npx -y a --key [redacted]'],
];

describe.each(forms)('a secret in %s', (_name, entry, target) => {
  const config = configOf(entry);

  it('is known, and masked in its place', () => {
    expect(secretsOf(config).some((secret) => secret.includes(X) && secret.length <= X.length + 10)).toBe(
      true,
    );
    expect(maskedTarget(config)).toBe(target);
  });

  it('is nowhere in what a server may print of it, encoded or not', () => {
    const redact = createRedactor(secretsOf(config));
    const encodings = [
      X,
      encodeURIComponent(X),
      Buffer.from(X).toString('hex'),
      Buffer.from(X).toString('base64'),
      Buffer.from(`me:${X}`).toString('base64'),
      Buffer.from(`ab${X}cd`).toString('base64url'),
    ];
    for (const encoded of encodings) {
      const shown = redact(`started with ${encoded}, and went on`);
      for (let start = 0; start + 10 <= encoded.length; start += 1)
        expect(shown).not.toContain(encoded.slice(start, start + 10));
    }
  });
});

describe('secretsOf in odd places', () => {
  it('takes a password with characters that a URL would encode', () => {
    const entry = inArgs(`mysql://me:a/b@${X}@db/x`);
    expect(secrets(entry)).toEqual([`a/b@${X}`]);
  });

  it('takes what hangs on a letter where it looks drawn by a machine', () => {
    expect(secrets(inArgs('-kA8f3kd92Lq7x', '-xvzf', '-Wl,-rpath'))).toEqual(['A8f3kd92Lq7x']);
  });
});

describe('what is no secret', () => {
  it.each([
    [['-y', '@modelcontextprotocol/server-filesystem@2025.8.21', '/home/me/projects']],
    [['--port', '8080', '--transport', 'stdio', '-p', '3000', '-t', 'http']],
    [['--auth-type', 'basic', '--use-auth', 'true', '--max-tokens', '4096', '--token-limit=10000']],
    [['--token-file', '/run/secrets/token', '--key-path=./key.pem']],
    [['run', '--rm', '-i', '-v', '/data:/data', '-e', 'DEBUG=1', 'ghcr.io/github/github-mcp-server:v0.5.0']],
    [['--from', 'git+https://github.com/oraios/serena', 'serena', 'start-mcp-server']],
    [['mcp-remote', 'https://mcp.linear.app/sse', '--allow-http', '--log-level=debug']],
    [['-m', 'mcp_server_fetch', '--user-agent', 'agent/1.0', '--region', 'eu-central-1']],
    [['https://example.com/v1/2025-06-18/servers/server-everything-2/mcp?page=12&sort=name']],
    [['--auth', 'none', '--private', 'false']],
    [['--sort-key', 'name', '--hotkey', 'ctrl', '-u', '1000:1000']],
    [['-y', '--auth', 'evil-package']],
    [['-p', 'a1b2c3d4e5f6', '-m', 'a1b2c3d4e5f6', '-y', 'a1b2c3d4e5f6']],
  ])('stays as it is: %j', (args) => {
    const config = configOf({ command: 'npx', args });
    expect(secretsOf(config)).toEqual([]);
    expect(maskedTarget(config)).toBe(['npx', ...args].join(' '));
  });
});

describe('a reference to a secret', () => {
  const R = '${secret:GITHUB_TOKEN}';
  it.each<[ServerEntry, string]>([
    [{ command: 'run', env: { API_TOKEN: R, DB: `postgres://me:${R}@db/x` } }, 'run'],
    [at(`https://h/s/${R}/mcp`, { Authorization: `Bearer ${R}` }), `https://h/s/${R}/mcp`],
    [at(`https://${R}@h/mcp?api_key=${R}`), 'https://h/mcp'],
    ...[
      ['--api-key', R],
      [`--token=${R}`],
      ['-u', `me:${R}`, '-k', R],
      ['--header', `Authorization: Bearer ${R}`],
      ['-e', `TOKEN=${R}`],
      [`https://${R}@h/token/${R}/mcp?api_key=${R}`],
    ].map((args): [ServerEntry, string] => [inArgs(...args), `run ${args.join(' ')}`]),
  ])('is no secret, and stays readable: %j', (entry, shown) => {
    const config = configOf(entry);
    expect(secretsOf(config)).toEqual([]);
    expect(maskedTarget(config)).toBe(shown);
    expect(createRedactor([])(shown)).toBe(shown);
  });
});

describe('what is out of reach', () => {
  it.each<[string, ServerEntry]>([
    ['a PIN behind a name that tells nothing', { command: 'run', env: { PIN: '1234' } }],
    ['a value like a path', { command: 'run', env: { SETTING: '/a8/f3kd92/Lq7x' } }],
    ['a word without an option', inArgs('hunter2')],
  ])('is %s', (_, entry) => expect(secrets(entry)).toEqual([]));
});

describe('a short secret', () => {
  it('is masked in its place, and no reason to black out every word with its letters', () => {
    const config = configOf(inArgs('--pin-token', 'a1', '-a1b'));
    expect(maskedTarget(config)).toBe('run --pin-token [redacted] -a1b');
    expect(createRedactor(secretsOf(config))('a1 is no secret')).toBe('a1 is no secret');
    expect(createRedactor(['test'])('test the latest (test)')).toBe('[redacted] the latest ([redacted])');
  });
});

describe('any secret of four characters or more', () => {
  const secret = fc
    .string({ minLength: 4, maxLength: 60, unit: 'grapheme-ascii' })
    .filter((text) => text.trim() === text && isSecretValue(text) && !/^-|[\s"'\\]/.test(text));
  const words = fc.stringMatching(/^[a-z ]{0,20}$/);
  const places: ((value: string) => ServerEntry)[] = [
    (value) => ({ command: 'run', env: { API_KEY: value } }),
    (value) => inArgs('--api-key', value),
    (value) => inArgs(`--token=${value}`),
    (value) => inArgs('-e', `SECRET=${value}`),
    (value) => inArgs('--header', `Authorization: Bearer ${value}`),
    (value) => at('https://h/mcp', { 'X-Api-Key': value }),
    (value) => at(`https://h/mcp?api_key=${encodeURIComponent(value)}`),
  ];

  it('appears neither in what is shown of its server nor in its words', () => {
    fc.assert(
      fc.property(secret, fc.constantFrom(...places), words, (value, place, around) => {
        const config = configOf(place(value));
        const redact = createRedactor(secretsOf(config));
        const shown = [redact(maskedTarget(config)), redact(`${around} ${value} ${around}`)];
        const own = [
          'run --api-key --token= -e SECRET= --header Authorization: https://h/mcp [redacted]',
          around,
        ];
        fc.pre(!own.some((text) => text.includes(value)));
        for (const text of shown) expect(text).not.toContain(value);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});
