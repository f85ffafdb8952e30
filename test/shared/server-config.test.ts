import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultPanelSettings, panelSettingsSchema } from '../../shared/panel-settings.ts';
import { serverEntrySchema, serverNameSchema, toServerConfig } from '../../shared/server-config.ts';
import { configOf } from '../support/config-of.ts';

/**
 * Whether a character is forbidden in a value: RFC 9110 §5.5 allows a tab, and no other control character of
 * ASCII.
 */
const isControl = (character: string): boolean =>
  (character < ' ' && character !== '\t') || character === '\u007f';

function isHeader(name: string, value: string): boolean {
  try {
    new Headers({ [name]: value });
    return true;
  } catch {
    return false;
  }
}

describe('panel settings', () => {
  it('have the documented defaults', () => {
    expect(defaultPanelSettings).toEqual({
      autoStart: true,
      sleepAfterMs: 0,
      startTimeoutMs: 60000,
      startMaxMs: 600000,
      stopGraceMs: 5000,
      killGraceMs: 5000,
      health: {
        probeIntervalMs: 10000,
        stallThresholdMs: 30000,
        workAllowanceMs: 300000,
        onStall: 'restart',
        onSuspect: 'notify',
        heartbeatLogs: 'auto',
      },
      calls: { timeoutMs: 300000, maxTotalMs: 3600000 },
      restart: {
        enabled: true,
        maxRestartAttempts: 3,
        maxPerHour: 10,
        initialBackoffMs: 1000,
        maxBackoffMs: 60000,
        stableAfterMs: 60000,
        slowRetryMs: 300000,
      },
      limits: {
        maxMemoryMiB: 1024,
        maxCpuPercent: 80,
        maxOpenFiles: 1000,
        sustainedSamples: 3,
        onBreach: 'restart',
      },
      caps: { memoryMiB: 0, cpuCores: 0 },
      sessions: { mode: 'auto', maxSessions: 10, idleTimeoutMs: 400000 },
      approval: { ask: 'never' },
    });
  });

  it.each([0, -1, Number.NaN, Infinity, 1e300, '5'])(
    'refuse %s as a time, with the path of the field',
    (value) => {
      const result = panelSettingsSchema.safeParse({ health: { probeIntervalMs: value } });
      expect(result.success).toBe(false);
      expect(result.error?.issues[0]?.path).toEqual(['health', 'probeIntervalMs']);
    },
  );

  it.each([
    [0, true],
    [60_000, true],
    [-1, false],
    [1.5, false],
    [29 * 86_400_000, false],
  ])('take %s ms without use before a server sleeps: %s', (sleepAfterMs, isTaken) => {
    const result = panelSettingsSchema.safeParse({ sleepAfterMs });
    expect(result.success).toBe(isTaken);
    if (!isTaken) expect(result.error?.issues[0]?.path).toEqual(['sleepAfterMs']);
  });

  it('keep what they do not know', () => {
    expect(panelSettingsSchema.parse({ mine: 1, limits: { too: 2 } })).toMatchObject({
      mine: 1,
      limits: { too: 2 },
    });
  });
});

describe('an entry', () => {
  it.each([
    [{ type: 'http' }, 'url'],
    [{ type: 'sse', command: 'x' }, 'url'],
    [{ type: 'stdio', url: 'http://localhost' }, 'command'],
    [{ command: 'a\0b' }, 'command'],
    [{ command: 'x', env: { 'A=B': '1' } }, 'env'],
    [{ command: 'x', env: { '': '1' } }, 'env'],
    [{ command: 'x', env: { 'A\0': '1' } }, 'env'],
    [{ url: 'http://localhost', headers: { 'a:': '1' } }, 'headers'],
    [{ url: 'http://localhost', headers: { a: 'ж' } }, 'headers'],
  ])('%j is refused at %s', (entry, field) => {
    const result = serverEntrySchema.safeParse(entry);
    expect(result.success).toBe(false);
    expect(result.error?.issues.map((issue) => issue.path[0])).toContain(field);
  });

  it.each([
    ['http', 'http'],
    ['streamable-http', 'http'],
    ['streamableHttp', 'http'],
    ['sse', 'sse'],
    [undefined, 'http'],
  ] as const)('with a URL and type %s uses %s', (type, transport) => {
    expect(configOf({ url: 'http://localhost:1/mcp', ...(type && { type }) })).toMatchObject({
      transport,
      url: 'http://localhost:1/mcp',
    });
  });

  it.each([
    ['name', 'Authorization'],
    ['name', 'x-api_key.1'],
    ['value', 'Bearer a.b-c~d+/='],
    ['value', ''],
    ['value', 'a\tb é'],
  ])('may have a header with the %s %j, as fetch takes it', (part, text) => {
    const headers = part === 'name' ? { [text]: '1' } : { a: text };
    expect(() => new Headers(headers)).not.toThrow();
    expect(serverEntrySchema.safeParse({ url: 'http://localhost', headers }).success).toBe(true);
  });

  it('has the headers that fetch takes, and no others; control characters, some of which it lets pass, nowhere', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, value) => {
        const isTaken = serverEntrySchema.safeParse({ url: 'http://localhost', headers: { [name]: value } });
        expect(isTaken.success).toBe(isHeader(name, value) && ![...value].some(isControl));
      }),
    );
  });

  it.each(['env', 'headers'])('keeps every name of its %s, and checks what it holds', (field) => {
    const where = field === 'env' ? { command: 'x' } : { url: 'http://localhost' };
    const parse = (text: string) =>
      serverEntrySchema.safeParse({ ...where, [field]: JSON.parse(text) as unknown });
    const { data } = parse('{"a":"1","__proto__":"2"}');
    expect(Object.entries(data?.[field as 'env'] ?? {})).toEqual([
      ['a', '1'],
      ['__proto__', '2'],
    ]);
    const pathsOf = (text: string) => parse(text).error?.issues.map(({ path }) => path);
    expect(pathsOf('{"a":1,"__proto__":2}')).toEqual([
      [field, 'a'],
      [field, '__proto__'],
    ]);
    expect(pathsOf('[]')).toEqual([[field]]);
  });

  it('says how a certificate is checked, with the path of its authorities resolved', () => {
    const entry = { url: 'https://x.test', tls: { verify: false, caFile: 'ca.pem', note: 'mine' } };
    const config = toServerConfig('a', serverEntrySchema.parse(entry), (path) => `/base/${path}`);
    expect(config).toMatchObject({ tls: { verify: false, caFile: '/base/ca.pem' } });
    expect(serverEntrySchema.safeParse({ url: 'https://x.test', tls: { verify: 'no' } }).success).toBe(false);
  });

  it('has no say about certificates beside a command', () => {
    const parsed = serverEntrySchema.safeParse({ command: 'x', tls: { verify: false } });
    expect(parsed.error?.issues.map(({ path }) => path)).toEqual([['tls']]);
  });

  it('resolves its folder, and respects disabled', () => {
    const entry = serverEntrySchema.parse({ command: 'x', cwd: 'here', disabled: true });
    expect(toServerConfig('s', entry, (cwd) => `/base/${cwd}`)).toMatchObject({
      cwd: '/base/here',
      enabled: false,
    });
  });
});

describe('a server name', () => {
  it.each(['a', 'A.b_c-9', 'x'.repeat(64)])('may be %s', (name) => {
    expect(serverNameSchema.safeParse(name).success).toBe(true);
  });
  it.each(['', '.', '..', 'a b', 'a/b', 'ä', 'x'.repeat(65)])('may not be "%s"', (name) => {
    expect(serverNameSchema.safeParse(name).success).toBe(false);
  });
});
