import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanelEvent, ServerView } from '../../../shared/domain.ts';
import { diagnosticsText } from '../../../shared/diagnostics-text.ts';
import type { SeriesReply } from '../../../shared/history.ts';
import type { LogLine } from '../../../shared/log-lines.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { configOf } from '../../support/config-of.ts';
import {
  collectDiagnostics,
  diagnosticsOf,
  type DiagnosticsSources,
} from '../../../electron/core/diagnostics/collect-diagnostics.ts';
import { secretsOf } from '../../../electron/core/journal/config-secrets.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import type { SystemFacts } from '../../../electron/core/platform/system-facts.ts';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { readSeries } from '../../../electron/core/store/file/read-series.ts';
import { batch, look, openHistory } from '../store/history-fixture.ts';

const NOW = 1_800_000_000_000;
const facts: SystemFacts = {
  versions: { electron: '45.4.1', node: '24.21.0' },
  system: 'Linux 6.1',
  kernel: '#1 SMP',
  architecture: 'x64',
  processor: 'A processor',
  coreCount: 2,
  memoryBytes: 2 ** 33,
  freeMemoryBytes: 2 ** 32,
  uptimeSeconds: 7200,
  displayServer: 'wayland',
};

const aView = (name: string, changes: Partial<ServerView> = {}): ServerView => ({
  name,
  transport: 'stdio',
  autoStart: true,
  target: name,
  state: { kind: 'running', since: NOW - 1000 },
  generation: 2,
  restartAttempt: 0,
  maxRestartAttempts: 3,
  restartsTotal: 1,
  sample: { at: NOW, memoryBytes: 64 * 2 ** 20, cpuPercent: 5, processCount: 1 },
  limits: { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 },
  ...changes,
});
const anEvent = (index: number, server: string | null, detail: Record<string, unknown> = {}): PanelEvent => ({
  id: String(index).padStart(8, '0'),
  at: NOW - 1_000_000 + index,
  server,
  kind: 'started',
  detail,
});
const aLine = (server: string | null, index: number, text: string): LogLine => ({
  key: `${server}/${index}`,
  at: NOW - 1_000_000 + index,
  server,
  source: 'stderr',
  text,
});

interface Given {
  readonly configs?: readonly ServerConfig[];
  readonly events?: readonly PanelEvent[];
  readonly lines?: readonly LogLine[];
  readonly views?: readonly ServerView[];
  readonly userHome?: string;
  readonly history?: HistoryFile;
}

const oneBucket = (servers: readonly string[], from: number, to: number): SeriesReply => ({
  from,
  to,
  stepMs: to - from,
  resolution: 'minute',
  series: servers.map((server) => ({
    server,
    metric: 'memoryBytes' as const,
    index: [0],
    min: [2 ** 20],
    avg: [2 ** 21],
    max: [2 ** 22],
  })),
  absences: [],
  limits: [],
});

function sourcesOf({
  configs = [],
  events = [],
  lines = [],
  views,
  userHome = '/home/ada',
  history,
}: Given): DiagnosticsSources {
  const redact = createRedactor(configs.flatMap((config) => secretsOf(config)));
  return {
    appVersion: '1.2.3',
    userHome,
    wallClock: { epochMs: () => NOW },
    configs: () => configs,
    views: () => views ?? configs.map(({ name }) => aView(name)),
    history: {
      series: ({ servers, from, to, ...query }) =>
        Promise.resolve(
          history === undefined
            ? oneBucket(servers, from, to)
            : readSeries(history, { ...query, servers, from, to }, NOW),
        ),
      events: ({ server, limit }) =>
        Promise.resolve({
          events: events.filter((event) => server === undefined || event.server === server).slice(-limit),
          hasMore: false,
          total: events.length,
        }),
      state: () => Promise.resolve({ keptIn: 'file', path: `${userHome}/history.db`, sizeBytes: 5 }),
    },
    logPage: ({ filter, limit }) => ({
      lines: lines.filter(({ server }) => filter.servers?.includes(server ?? '')).slice(-limit),
      hasMore: false,
    }),
    loop: () => ({ p50Ms: 1, p99Ms: 2, maxMs: 3 }),
    systemFacts: () => facts,
    redact,
  };
}

const collect = async (given: Given, server?: string) => {
  const found = await collectDiagnostics(sourcesOf(given), server === undefined ? {} : { server });
  const textOf = (id: string) => found.sections.find((section) => section.id === id)?.text ?? '';
  return { found, textOf, whole: diagnosticsText(found.at, found.sections) };
};

const encoded = (text: string, encoding: BufferEncoding) => Buffer.from(text).toString(encoding);

describe('a report of the window', () => {
  it('leaves out the secrets of the configuration and the name of the person, and keeps its lines', async () => {
    const secret = 'hunter2-hunter2-hunter2';
    const sources = sourcesOf({
      configs: [configOf({ command: 'node', env: { API_TOKEN: secret } })],
    });
    const report = `could not show one\nat ${sources.userHome}/app.js\nwith ${secret} in it`;
    const lines = (await diagnosticsOf(sources).redact(report)).split('\n');
    expect(lines.slice(0, 2)).toEqual(['could not show one', 'at ~/app.js']);
    expect(lines[2]).toMatch(/^with (?!.*hunter2).+ in it$/);
  });
});

describe('diagnostics', () => {
  it('tell versions, system, configuration, figures, events and logs, of all servers', async () => {
    const { textOf } = await collect({
      configs: [
        configOf({ command: 'node', args: ['one.js'], env: { MODE: 'fast' } }),
        configOf({ url: 'https://example.org/mcp', panel: { health: { onStall: 'notify' } } }, 'two'),
      ],
      events: [anEvent(1, 'one', { pid: 12 }), anEvent(2, null)],
      lines: [aLine('one', 1, 'ready'), aLine('two', 1, 'hello'), aLine(null, 1, 'up')],
    });
    expect(textOf('versions')).toMatch(/^MCP Control Panel 1\.2\.3\nelectron 45\.4\.1\n/);
    expect(textOf('system')).toContain('display server: wayland');
    expect(textOf('configuration')).toContain('command: node one.js');
    expect(textOf('configuration')).toMatch(/env MODE: (?!.*fast)/);
    expect(textOf('configuration').match(/panel: .*/g)).toEqual([
      'panel: as by default',
      'panel: health.onStall notify',
    ]);
    expect(textOf('figures')).toContain(
      'memoryBytes: now 64.0 MiB; 24 h: least 1.0 MiB, mean 2.0 MiB, most 4.0 MiB',
    );
    expect(textOf('figures')).toContain('main loop, last minute: late by 1.0 ms (median)');
    expect(textOf('events').split('\n')).toHaveLength(2);
    expect(textOf('logs')).toMatch(
      /^--- the panel: 1 lines\n.* up\n\n--- one: 1 lines\n.* stderr ready\n\n--- two: 1 lines\n.* stderr hello$/,
    );
  });

  it('tell figures of the last 24 hours and of no time before', async () => {
    const history = openHistory(undefined, NOW);
    const hour = 3_600_000;
    for (const [hoursAgo, mebibytes] of [
      [50, 900],
      [24.5, 700],
      [23.5, 10],
      [12, 40],
      [0.1, 10],
    ] as const) {
      const at = NOW - hoursAgo * hour;
      history.write(batch(at, { looks: [look(at, { one: { memoryBytes: mebibytes * 2 ** 20 } })] }));
    }
    const { textOf } = await collect({ configs: [configOf({ command: 'node' })], history });
    expect(textOf('figures')).toContain(
      'memoryBytes: now 64.0 MiB; 24 h: least 10.0 MiB, mean 20.0 MiB, most 40.0 MiB',
    );
  });

  it('of one server tell nothing of the others, and none are to be had of one that is not there', async () => {
    const given: Given = {
      configs: [configOf({ command: 'first' }), configOf({ command: 'second' }, 'two')],
      events: [anEvent(1, 'one'), anEvent(2, 'two')],
      lines: [aLine('two', 1, 'of the other'), aLine(null, 1, 'of the other')],
    };
    const { whole } = await collect(given, 'one');
    expect(whole).toContain('first');
    expect(whole).not.toMatch(/second|two|of the other/);
    await expect(collect(given, 'three')).rejects.toMatchObject({ code: 'SERVER_UNKNOWN' });
  });

  it('call the home folder of the person ~, whose path names them', async () => {
    const { whole, textOf } = await collect({
      configs: [configOf({ command: '/home/ada/bin/server', cwd: '/home/ada/work' })],
      lines: [aLine('one', 1, 'reading /home/ada/notes')],
    });
    expect(whole).not.toContain('ada');
    expect(textOf('configuration')).toContain('cwd: ~/work');
  });

  it('call it so on Windows in events as well, whose paths are written as in JSON', async () => {
    const { textOf, whole } = await collect({
      configs: [configOf({ command: 'C:\\Users\\Ada\\server.exe' })],
      events: [anEvent(1, 'one', { message: 'spawn C:\\Users\\Ada\\server.exe failed' })],
      lines: [aLine('one', 1, 'reading c:/users/ada/notes')],
      userHome: 'C:\\Users\\Ada',
    });
    expect(textOf('events')).toContain(String.raw`spawn ~\\server.exe failed`);
    expect(whole).not.toMatch(/ada/i);
  });

  it('hold no secret of the configuration, wherever and however it is written', async () => {
    const secret = fc
      .string({
        unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
        minLength: 12,
        maxLength: 40,
      })
      .filter((text) => /[a-z]/.test(text) && /[A-Z]/.test(text) && /\d/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(secret, secret, secret, secret, secret),
        async ([env, argument, header, password, query]) => {
          const configs = [
            configOf({
              command: 'node',
              args: ['server.js', '--api-key', argument, `--token=${argument}`],
              env: { SERVICE_TOKEN: env, UNKNOWN: `${env}-more`, SHORT: 'abc' },
            }),
            configOf(
              {
                url: `https://ada:${password}@example.org/mcp?api_key=${query}`,
                headers: { authorization: `Bearer ${header}`, 'x-any': header },
              },
              'two',
            ),
          ];
          const secrets = [env, argument, header, password, query];
          const forms = (text: string) => [text, encoded(text, 'base64'), encoded(text, 'hex')];
          const said = secrets.flatMap((text) => [
            ...forms(text),
            `\u001b[31m${text}\u001b[0m`,
            `${text.slice(0, 6)}\u001b[1m${text.slice(6)}`,
            `user:${text}`,
          ]);
          const { whole } = await collect({
            configs,
            events: said.map((text, index) =>
              anEvent(index, 'one', { message: `failed with ${text}`, stderrTail: text }),
            ),
            lines: said.map((text, index) => aLine('one', index, `got ${text}!`)),
            views: configs.map(({ name }) =>
              aView(name, { lastError: { code: 'CRASHED', message: `said ${said.join(' ')}` } }),
            ),
          });
          for (const form of secrets.flatMap(forms)) expect(whole).not.toContain(form);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('stay within 2 MiB, keep the newest of each, and say what is left out', async () => {
    const configs = Array.from({ length: 60 }, (_, index) =>
      configOf({ command: 'x'.repeat(60_000) }, `server-${index}`),
    );
    const long = '\u20ac'.repeat(4000);
    const { whole, textOf } = await collect({
      configs,
      events: Array.from({ length: 200 }, (_, index) =>
        anEvent(index, 'server-0', { message: `${index} ${long}` }),
      ),
      lines: configs.flatMap(({ name }) =>
        Array.from({ length: 200 }, (_, index) => aLine(name, index, `${index} ${long}`)),
      ),
    });
    expect(Buffer.byteLength(whole)).toBeLessThan(2 * 2 ** 20);
    expect(textOf('events')).toMatch(/^\(\d+ earlier lines are left out\)\n/);
    expect(textOf('events')).toContain('"message":"199 ');
    for (const { name } of configs)
      expect(textOf('logs')).toMatch(new RegExp(`--- ${name}: 200 lines\\n\\(\\d+ earlier lines`));
  });

  it('let other work have its turn while they are collected', async () => {
    const lines = Array.from({ length: 200 }, (_, index) => aLine('one', index, 'word '.repeat(700)));
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await collect({ configs: [configOf({ command: 'node' })], lines });
    isOver = true;
    // 700 thousand characters at 8 Ki a turn.
    expect(turns).toBeGreaterThan(80);
  });

  it('as text end a block nowhere but where it ends', () => {
    const text = diagnosticsText(NOW, [{ id: 'logs', title: 'Logs', text: 'a\n````\n## not a title' }]);
    expect(text).toContain('\n`````\na\n````\n## not a title\n`````\n');
  });
});
