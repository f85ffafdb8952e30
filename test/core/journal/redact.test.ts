import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const redact = createRedactor([
  'hunter2-hunter2',
  'pa"ss\\word',
  'line one of it\nline two of it',
  'a+b/c=d&e f',
]);

describe('createRedactor', () => {
  it.each([
    ['a known secret', 'login with hunter2-hunter2 failed', 'login with [redacted] failed'],
    ['one twice', 'hunter2-hunter2,hunter2-hunter2', '[redacted],[redacted]'],
    ['one without space around it', 'xhunter2-hunter2x', 'x[redacted]x'],
    ['one written as JSON', JSON.stringify({ a: 'pa"ss\\word' }), '{"a":"[redacted]"}'],
    ['one in a URL', `/?x=${encodeURIComponent('a+b/c=d&e f')}!`, '/?x=[redacted]!'],
    ['one of several lines, cut into lines', 'got: line two of it', 'got: [redacted]'],
    ['a bearer token', 'sent Authorization: Bearer abc.def-123', 'sent Authorization: [redacted]'],
    ['a bearer token in speech', 'with bearer abcdefgh1 it works', 'with bearer [redacted] it works'],
    ['a token of a client of the panel', `sent mcpcp_${'a-B_9'.repeat(8)}xyz twice`, 'sent [redacted] twice'],
    ['a basic credential', "-H 'Authorization: Basic dXNlcjpwYXNz'", "-H 'Authorization: [redacted]'"],
    ['a cookie', 'Set-Cookie: sid=31d4d96e; Path=/\nnext', 'Set-Cookie: [redacted]\nnext'],
    ['password=', 'user=me password=x1 host=h', 'user=me password=[redacted] host=h'],
    ['a password in JSON', '{"password": "a b,c", "user": "me"}', '{"password": "[redacted]", "user": "me"}'],
    [
      'a password in JSON in JSON',
      String.raw`{\"password\":\"abc\"}`,
      String.raw`{\"password\":\"[redacted]\"}`,
    ],
    ['an API key by name', 'OPENAI_API_KEY: abc-def', 'OPENAI_API_KEY: [redacted]'],
    ['token=', 'GET /?token=abcdef&x=1', 'GET /?token=[redacted]&x=1'],
    ['token: with a value that looks the part', 'token: abcd1234', 'token: [redacted]'],
    ['key=', 'map?key=AbCdEfGh', 'map?key=[redacted]'],
    [
      'a signed URL',
      '?X-Amz-Signature=deadbeef&X-Amz-Date=2026',
      '?X-Amz-Signature=[redacted]&X-Amz-Date=2026',
    ],
    ['user and password in a URL', 'postgres://me:p@ss@db:5432/x', 'postgres://[redacted]@db:5432/x'],
    ['a token for user in a URL', 'https://abcdef@example.org/', 'https://[redacted]@example.org/'],
    ['an OpenAI key', 'using sk-proj-abcdefghijklmnop', 'using [redacted]'],
    ['a GitHub token', '(ghp_abcdefghijklmnopqrst)', '([redacted])'],
    ['a Slack token', 'xoxb-1234567890-abc', '[redacted]'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE.', '[redacted].'],
    ['a JSON Web Token', 'jwt eyJhbGciOiJI.eyJzdWIiOiIx.c2ln ok', 'jwt [redacted] ok'],
    [
      'a private key',
      '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END',
      '-----BEGIN RSA PRIVATE KEY-----[redacted]-----END',
    ],
  ])('replaces %s', (_name, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'Unexpected token < in JSON at position 0',
    'error: token: invalid',
    'max_tokens=4096 token_count: 12',
    'keyboard=qwerty, monkey=banana',
    'basic authentication required',
    'the bearer of bad news',
    'task-management-for-everybody-everywhere',
    'http://localhost:3000/mcp?page=2',
    'mail me@example.org',
    'see https://example.org/a@b',
    '/home/me/.config/app/servers.json',
    'Server listening on stdio, pid 1234',
    'secretary of state',
    'password: required',
    'Missing secret: please sign in.',
    'PWD=/home/me',
    'bearer methods1',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '',
  ])('leaves "%s" alone', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('goes into arrays and objects, and knows fields by their names', () => {
    const value = {
      message: 'with hunter2-hunter2',
      list: ['hunter2-hunter2', 7, null, true],
      nested: { password: 'x', apiKey: 'y', accessToken: 'z', port: 80, tokenCount: 3, empty: '' },
      'hunter2-hunter2': 1,
    };
    expect(redact(value)).toEqual({
      message: 'with [redacted]',
      list: ['[redacted]', 7, null, true],
      nested: {
        password: '[redacted]',
        apiKey: '[redacted]',
        accessToken: '[redacted]',
        port: 80,
        tokenCount: 3,
        empty: '',
      },
      '[redacted]': 1,
    });
    expect([redact(undefined), redact(12), redact(null)]).toEqual([undefined, 12, null]);
  });

  it('ends at a depth at which nothing is left to read', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}"hunter2-hunter2"${']'.repeat(5000)}`) as unknown;
    expect(JSON.stringify(redact(deep))).not.toContain('hunter2');
  });

  it('finds secrets that overlap', () => {
    const both = createRedactor(['abcdefgh1234', '1234xyzw9876']);
    expect(both('<abcdefgh1234xyzw9876>')).toBe('<[redacted]>');
  });

  it('finds what is left of a secret that an end of the text cuts off', () => {
    expect(redact('...login with hunter2')).toBe('...login with hunter2');
    expect(redact('...login with hunter2-')).toBe('...login with [redacted]');
    expect(redact('2-hunter2 ok')).toBe('[redacted] ok');
    expect(redact('-hunter2 in the middle of hunter2- words')).toBe(
      '[redacted] in the middle of hunter2- words',
    );
  });

  it('is not confused by secrets that look like expressions, by short ones, or by its own mark', () => {
    const odd = createRedactor(['.*.*.*.*', '[a-z]+$$$', 'redacted', 'abc', '']);
    expect(odd('abc .*.*.*.* [a-z]+$$$ xxxxxxxx')).toBe('abc [redacted] [redacted] xxxxxxxx');
    expect(odd('a redacted text')).toBe('a [redacted] text');
    expect(odd(odd('a redacted text'))).toBe('a [redacted] text');
  });
});

describe('redaction', () => {
  const secret = fc.oneof(
    fc.string({ minLength: 8, maxLength: 40 }),
    fc.stringMatching(/^[A-Za-z0-9_\-+/=]{8,40}$/),
    fc.stringMatching(/^[[\]red act:/@"'&=]{8,20}$/),
  );
  const usable = secret.filter((text) => text.trim().length >= 8);
  const filler = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom(
      'token=',
      'Authorization: ',
      'https://',
      '@',
      '[redacted]',
      'sk-',
      ' ',
      '"',
      '\n',
      'key=',
      'password: "',
    ),
  );
  const planted = fc.tuple(
    fc.array(usable, { minLength: 1, maxLength: 4 }),
    fc.array(filler, { maxLength: 8 }),
  );

  it('leaves no eight characters of a planted secret, whatever stands around it', () => {
    fc.assert(
      fc.property(planted, ([secrets, fillers]) => {
        const text =
          secrets.map((one, index) => `${fillers[index] ?? ''}${one}`).join('') + fillers.slice(4).join('');
        const outside = fillers.join('\u0000');
        const left = createRedactor(secrets)(text);
        for (const one of secrets.map((whole) => whole.trim())) {
          for (let at = 0; at + 8 <= one.length; at += 1) {
            const piece = one.slice(at, at + 8);
            const isOrdinary =
              outside.includes(piece) || '[redacted]'.includes(piece) || one.includes('[redacted]');
            if (!isOrdinary && !spansPlaceholder(left, piece)) expect(left).not.toContain(piece);
          }
        }
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(planted, ([secrets, fillers]) => {
        const redactor = createRedactor(secrets);
        const text = fillers.map((one, index) => `${one}${secrets[index % secrets.length]}`).join('');
        const once = redactor(text);
        expect(redactor(once)).toBe(once);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it('leaves texts of ordinary words alone', () => {
    const words = 'the server was started and answers on its port while nobody looks at key or token'.split(
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (chosen) => {
        expect(redact(chosen.join(' '))).toBe(chosen.join(' '));
      }),
    );
  });

  it.each([
    ['x', 'x'],
    ['word characters', 'aZ_9-'],
    ['names without values', 'password token='],
    ['names and quotes', 'secret="'],
    ['openings of keys', 'eyJ-sk-'],
    ['openings of tokens', ' eyJaaaaaaaaaa'],
    ['dots', 'eyJaaaaaaaaa.aaaaaaaaaaa.'],
    ['openings of private keys', '-----BEGIN PRIVATE KEY-----'],
    ['openings of URLs', 'a://b:'],
    ['parameters', '?token&key'],
    ['schemes', 'Authorization: Bearer '],
    ['spaces', ' '],
    ['placeholders', '[redacted]'],
    ['beginnings of a known secret', 'hunter2-'],
    ['known secrets', 'hunter2-hunter2'],
    ['known secrets and placeholders', 'hunter2-hunter2 [redacted] '],
    ['one letter that a secret repeats', 'z'],
  ])('takes a megabyte of %s in no time', (_name, unit) => {
    const text = unit.repeat(Math.ceil((1024 * 1024) / unit.length));
    const start = process.cpuUsage();
    redact(text);
    // Time of the processor, because other programs may have it meanwhile. Measured were under 300 ms; what is quadratic takes minutes.
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
  });
});

/** Whether a piece stands there only because a placeholder happens to complete it. */
function spansPlaceholder(text: string, piece: string): boolean {
  const overlap = text.replaceAll('[redacted]', '\u0001');
  return !overlap.includes(piece);
}
