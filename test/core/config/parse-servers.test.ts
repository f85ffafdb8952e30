import { describe, expect, it } from 'vitest';
import {
  parseServers,
  withSystemDefaults,
  type PanelDefaults,
} from '../../../electron/core/config/parse-servers.ts';
import { defaultPanelSettings } from '../../../shared/panel-settings.ts';

const parse = (text: string) => parseServers(text, (cwd) => `/home/${cwd}`);
const problemOf = (text: string) => {
  const parsed = parse(text);
  if (parsed.kind === 'broken') return parsed.problem;
  return parsed.entries.flatMap((entry) => ('problem' in entry ? [entry.problem] : []))[0];
};
const namesOf = (text: string) => {
  const parsed = parse(text);
  return parsed.kind === 'parsed'
    ? parsed.entries.flatMap((entry) => ('config' in entry ? [entry.name] : []))
    : [];
};

describe('parseServers', () => {
  it('reads comments, trailing commas and the order of the file', () => {
    const text = `// mine\n{ "other": 1, "mcpServers": {\n "z": { "command": "a", }, /* b */ "a": { "url": "https://x/y" },\n}, }`;
    expect(namesOf(text)).toEqual(['z', 'a']);
  });

  it('makes a relative working folder relative to the file', () => {
    const parsed = parse('{"mcpServers":{"a":{"command":"x","cwd":"sub"}}}');
    expect(parsed).toMatchObject({ kind: 'parsed', entries: [{ config: { cwd: '/home/sub' } }] });
  });

  it.each([
    ['', 'expected { "mcpServers": { … } }, found an empty file', 1, 1],
    [' \n', 'expected { "mcpServers": { … } }, found an empty file', 1, 1],
    ['[]', 'expected { "mcpServers": { … } }, found an array', 1, 1],
    ['{}', '"mcpServers" is missing: expected { "mcpServers": { … } }, found an empty object', 1, 1],
    [
      '{"servers":{}}',
      '"mcpServers" is missing: expected { "mcpServers": { … } }, found only "servers"',
      1,
      1,
    ],
    ['{\r\n  "mcpServers": []\r\n}', 'mcpServers: expected an object, found an array', 2, 17],
    ['{"mcpServers":{},\n"mcpServers":{}}', '"mcpServers" appears here a second time', 2, 1],
    [
      '{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": {}\n}}',
      'mcpServers.a: expected ",", found a text in quotes',
      4,
      5,
    ],
    ['{"mcpServers":{"a":{"command":"x"}', 'mcpServers.a: expected "}", found the end of the file', 1, 35],
    ['{"mcpServers":{}} x', 'expected JSON, found something that is not JSON', 1, 19],
  ])('calls %j broken and says where', (text, message, line, column) => {
    expect(parse(text)).toMatchObject({ kind: 'broken' });
    expect(problemOf(text)).toMatchObject({ line, column });
    expect(problemOf(text)?.message).toContain(message.split(': ').at(-1));
  });

  const isRefusedAlone = (entry: string, message: string) => {
    const text = `{"mcpServers":{"b":{"command":"x"},\n  "a": ${entry}}}`;
    expect(namesOf(text)).toEqual(['b']);
    expect(problemOf(text)?.message).toContain(message);
    expect(problemOf(text)?.line).toBe(2);
  };

  it.each([
    ['{}', 'mcpServers.a.command is missing (or "url" for a remote server)'],
    ['null', 'mcpServers.a: expected an object, found null'],
    ['{"command":""}', 'mcpServers.a.command: expected a non-empty text, found an empty text'],
    ['{"command":"x","args":[1]}', 'mcpServers.a.args.0: expected a text in quotes, found 1'],
    ['{"command":"x","env":{"K":true}}', 'mcpServers.a.env.K: expected a text in quotes, found true'],
    ['{"command":"x","disabled":"yes"}', 'mcpServers.a.disabled: expected true or false, found a text'],
    [
      '{"command":"x","url":"http://a"}',
      'mcpServers.a.url is given together with "command": an entry has only one of the two',
    ],
    [
      '{"url":"http://a","headers":{"b c":"d"}}',
      'mcpServers.a.headers.b c: the name must be a header name: letters, digits and hyphens, without spaces or colons',
    ],
    [
      '{"url":"http://a","headers":{"b":"c\\nd"}}',
      'mcpServers.a.headers.b must be one line of Latin characters',
    ],
    [
      '{"command":"node","args":["x.js"],"panel":{"runOn":{"engine":"docker","context":"far"}}}',
      'mcpServers.a.command needs an image to run on another engine: docker run … IMAGE',
    ],
    [
      '{"command":"docker","args":["run","x"],"panel":{"runOn":{"engine":"docker"}}}',
      'mcpServers.a.panel.runOn: expected {"engine": "docker"} with "context" or "host", a text, or {"engine": "kubernetes"}, alone or with "context" and "namespace"; with "url" also with the name of a "deployment", "service" or "mcpServer", and its "port", found an object',
    ],
    [
      '{"command":"x","panel":{"runOn":{"engine":"kubernetes","deployment":"api"}}}',
      'mcpServers.a.url is missing, and "runOn" names what runs in a cluster already',
    ],
    [
      '{"url":"https://a","panel":{"runOn":{"engine":"kubernetes","deployment":"api","port":80}}}',
      'mcpServers.a.url must be an http: URL where "runOn" has a "port"',
    ],
    [
      '{"url":"http://a","panel":{"runOn":{"engine":"kubernetes"}}}',
      'mcpServers.a.command needs an image to run on another engine: docker run … IMAGE',
    ],
    ['{"url":"file:///x"}', 'mcpServers.a.url must be an http: or https: URL'],
    ['{"command":"x","type":"pipe"}', 'found "pipe"'],
  ])('refuses the entry %s alone', isRefusedAlone);

  it.each([
    ['{"limits":{"maxMemoryMiB":0}}', '.limits.maxMemoryMiB: expected at least 1, found 0'],
    ['{"limits":{"maxMemoryMiB":NaN}}', '.limits.maxMemoryMiB: expected a number, found NaN'],
    ['{"limits":{"maxCpuPercent":Infinity}}', '.limits.maxCpuPercent: expected a number, found Infinity'],
    ['{"health":{"probeIntervalMs":1.5}}', '.health.probeIntervalMs: expected a whole number, found 1.5'],
    [
      '{"health":{"onStall":"explode"}}',
      '.health.onStall: expected one of "restart", "notify", found "explode"',
    ],
    ['{"sessions":{"maxSessions":1e9}}', '.sessions.maxSessions: expected at most 1000, found 1000000000'],
    [
      '{"health":{"check":{"everyMs":20000}}}',
      '.health.check.tool: expected the name of a tool (or "resource" with a URI), found nothing',
    ],
    [
      '{"health":{"check":{"tool":"a","everyMs":9999}}}',
      '.health.check.everyMs: expected at least 10000, found 9999',
    ],
    [
      '{"health":{"check":{"tool":"a","resource":"b://c"}}}',
      '.health.check.resource: expected nothing besides "tool"',
    ],
    [
      '{"health":{"check":{"resource":"b://c","arguments":{}}}}',
      '.health.check.arguments: expected nothing without "tool", found an object',
    ],
    [
      '{"health":{"check":{"tool":"a","arguments":"key=s3cret"}}}',
      '.health.check.arguments: expected an object, found a text',
    ],
    [
      '{"health":{"check":{"tool":"a","onFail":"stop"}}}',
      '.health.check.onFail: expected one of "restart", "notify", found "stop"',
    ],
    ['5', ': expected an object, found 5'],
  ])('refuses an entry for its settings %s alone', (panel, message) =>
    isRefusedAlone(`{"command":"x","panel":${panel}}`, `mcpServers.a.panel${message}`),
  );

  it('points at the refused value', () => {
    const text =
      '{\n  "mcpServers": {\n    "a": { "command": "x",\n      "panel": { "stopGraceMs": -1 } } } }';
    expect(problemOf(text)).toMatchObject({ line: 4, column: 33 });
  });

  it('never shows a value that may be a secret', () => {
    expect(problemOf('{"mcpServers":{"a":{"command":"x","env":"TOKEN"}}}')?.message).not.toContain('TOKEN');
    expect(problemOf('{"mcpServers":{"a":{"url":"secret"}}}')?.message).not.toContain('secret');
    expect(problemOf('{"mcpServers":{"a":{"env":{"K": "TOKEN" "L"}}}}')?.message).not.toContain('TOKEN');
  });

  it('refuses a name that cannot stand in a URL, and a name that stands twice', () => {
    expect(problemOf('{"mcpServers":{"a b":{"command":"x"}}}')?.message).toContain(
      'mcpServers."a b": a name has 1 to 64',
    );
    const twice = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"x"},\n"a":{"command":"y"}}}';
    expect(namesOf(twice)).toEqual(['b']);
    expect(problemOf(twice)).toEqual({
      message: 'mcpServers.a appears here a second time',
      line: 2,
      column: 1,
    });
  });

  it('takes a thousand servers, and refuses more before it reads them', () => {
    const text = (count: number) =>
      JSON.stringify({
        mcpServers: Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`s${index}`, { command: 'x' }]),
        ),
      });
    expect(namesOf(text(1000))).toHaveLength(1000);
    expect(parse(text(1001))).toEqual({
      kind: 'broken',
      problem: { message: 'mcpServers: expected at most 1000 servers, found 1001', line: 1, column: 15 },
    });
  });

  it('says a bounded number of things about keys that nothing reads', () => {
    const keys = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`key${index}`, 1]));
    const parsed = parse(JSON.stringify({ mcpServers: { a: { command: 'x', ...keys } } }));
    const { notices } = parsed as Extract<typeof parsed, { kind: 'parsed' }>;
    expect(notices).toHaveLength(101);
    expect(notices.at(-1)).toBe('4900 more keys are not known settings');
  });

  it('takes names that mean something in JavaScript for names', () => {
    expect(namesOf('{"mcpServers":{"__proto__":{"command":"x"},"constructor":{"command":"y"}}}')).toEqual([
      '__proto__',
      'constructor',
    ]);
  });

  it('reports every key that nothing reads, be it a slip of the pen or a key of another client', () => {
    const parsed = parse(
      '{"mcpServers":{"a":{"command":"x","arg":["y"],"env":{"ANY":"z"},"panel":{"color":1,"limits":{"maxMemory":1}}}}}',
    );
    expect(parsed).toMatchObject({
      kind: 'parsed',
      notices: [
        'mcpServers.a.arg is not a known setting; it is kept unchanged',
        'mcpServers.a.panel.color is not a known setting; it is kept unchanged',
        'mcpServers.a.panel.limits.maxMemory is not a known setting; it is kept unchanged',
      ],
    });
  });
});

it('takes every setting for one, also those without a default', () => {
  const panel = {
    account: 'work',
    runOn: { engine: 'kubernetes' },
    health: { check: { tool: 'look' } },
    approval: { tools: { look: true } },
  };
  const box = { command: 'docker', args: ['run', '-i', 'image'], panel };
  expect(parse(JSON.stringify({ mcpServers: { box } }))).toMatchObject({ notices: [] });
});

describe('the defaults of a system', () => {
  const limitsOn = (platform: NodeJS.Platform, panel: object, own: PanelDefaults = {}) => {
    const text = JSON.stringify({ mcpServers: { web: { command: 'x', panel } } });
    const parsed = parseServers(text, (path) => path, withSystemDefaults(platform, own));
    const [entry] = parsed.kind === 'parsed' ? parsed.entries : [];
    return entry && 'config' in entry ? entry.config.panel.limits : undefined;
  };

  it('have no limit of handles on Windows, where a healthy browser holds thousands, nor of what macOS does not tell', () => {
    expect(limitsOn('linux', {})).toEqual(defaultPanelSettings.limits);
    for (const platform of ['win32', 'darwin'] as const)
      expect(limitsOn(platform, {})).toEqual({ ...defaultPanelSettings.limits, maxOpenFiles: 10_000_000 });
  });

  it('give way to what a person has set, for one server or for all', () => {
    expect(limitsOn('win32', { limits: { maxOpenFiles: 700 } })?.maxOpenFiles).toBe(700);
    expect(limitsOn('win32', {}, { limits: { maxOpenFiles: 5000 } })?.maxOpenFiles).toBe(5000);
    expect(limitsOn('win32', {}, { limits: { maxMemoryMiB: 64 } })).toMatchObject({
      maxMemoryMiB: 64,
      maxOpenFiles: 10_000_000,
    });
  });
});
