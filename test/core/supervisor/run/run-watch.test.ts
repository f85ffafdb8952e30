import { describe, expect, it, onTestFinished } from 'vitest';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import type { ProvenKinds } from '../../../../electron/core/supervisor/liveness/probe-book.ts';
import { hasInspector, RunWatch } from '../../../../electron/core/supervisor/run/run-watch.ts';
import { testConfig } from '../supervisor-bench.ts';
import { createConnectionBench, outcomeOf } from '../../mcp/connection-bench.ts';

/** A server whose processes nobody sees. */
const AFAR = { transport: 'http', url: 'http://127.0.0.1/', headers: {} } as const;
const settings = panelSettingsSchema.parse({});
/** Longest time that a call waits for the question before it. */
const ALONE_MS = 1000;

/** Run that is up, of a server that answers nothing but what a test makes it say. */
async function watched(learnt: ProvenKinds = new Set()) {
  const bench = await createConnectionBench(settings.calls);
  const events: string[] = [];
  const watch = new RunWatch({
    config: { ...testConfig(), ...AFAR },
    generation: 1,
    clock: bench.clock,
    wallClock: bench.clock,
    random: () => 0.5,
    connection: bench.connection,
    learnt: { of: () => learnt },
    settings: () => ({ ...settings, calls: { ...bench.settings.calls } }),
    log: { doubted: () => undefined, recovered: () => undefined },
    atEnd: () => ({ calls: [] }),
    onFound: ({ event }) => events.push(event.kind),
    logEvent: (kind) => events.push(kind),
    onChange: () => undefined,
  });
  onTestFinished(() => watch.dispose());
  return { ...bench, watch, events };
}

it('shows nobody busy with a question that was given up, and convicts nobody for it', async () => {
  const { clock, connection, watch, events } = await watched();
  await clock.advance(ALONE_MS);
  const question = outcomeOf(connection.request('tools/list', undefined, { timeoutMs: 15_000 }));
  await clock.advance(14_000);
  expect(watch.view().busy).toEqual({ calls: 1, oldestMs: 14_000, oldest: 'tools/list' });
  await clock.advance(1000);
  expect(question.now).toBe('REQUEST_TIMEOUT');
  expect(watch.view().busy).toBeUndefined();
  await clock.advance(200_000);
  expect(events).toEqual([]);
});

it('shows nobody busy with what the panel itself reads, so that stopping a server asks no question for it', async () => {
  const { clock, connection, watch } = await watched();
  const reading = outcomeOf(connection.request('tools/list', undefined, { isOwnQuestion: true }));
  await clock.advance(1000);
  expect([watch.view().busy, reading.now]).toEqual([undefined, 'pending']);
});

it('says of one that sends messages and answers nothing that its health is unknown, and since when', async () => {
  const { clock, transport, watch, events } = await watched(new Set(['ping']));
  const askedAt = clock.epochMs();
  const chatter = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1000) {
      transport.say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: '' } });
      await clock.advance(1000);
    }
  };
  await chatter(settings.health.stallThresholdMs - 1000);
  expect(watch.view()).toEqual({ health: 'ok' });
  await chatter(60_000);
  expect(watch.view()).toEqual({ health: 'unknown', unansweredSince: askedAt });
  transport.answer(transport.lastId);
  await clock.advance(1000);
  expect(watch.view()).toEqual({ health: 'ok' });
  expect(events).toEqual([]);
});

it('leaves a server alone whose caller still waits, however short the setting has become', async () => {
  const { clock, connection, settings: current, transport, watch, events } = await watched();
  transport.answer(transport.lastId);
  const call = outcomeOf(connection.request('tools/call', { name: 'query' }));
  await clock.advance(0);
  const id = transport.lastId;
  current.calls = { timeoutMs: 1000, maxTotalMs: 1000 };
  await clock.advance(200_000);
  expect(events).toEqual([]);
  expect(watch.view().busy).toMatchObject({ calls: 1, oldest: 'tools/call query' });
  transport.answer(id, { ok: true });
  await clock.advance(0);
  expect(call.now).toEqual({ ok: true });
});

const isInspected = (line: string, env: Record<string, string> = {}) => {
  const [command = '', ...args] = line.split(' ');
  return hasInspector(testConfig({}, { command, args, env }));
};

describe('hasInspector', () => {
  it.each([
    'node --inspect-brk=9230 server.js',
    'node -r ts-node/register --inspect server.ts',
    '/usr/bin/node --inspect-wait --enable-source-maps server.js',
    'tsx --inspect server.ts',
    'deno run --inspect server.ts',
    'npx -y tsx --inspect server.ts',
    'cmd /c node --inspect server.js',
    'python3 -m debugpy --listen 5678 server.py',
    'python3.12 -X frozen_modules=off -m debugpy server.py',
    'uv run --with debugpy python -m debugpy server.py',
    'debugpy --listen 5678 server.py',
    '/usr/local/bin/dlv exec server',
    // Windows finds programs by suffixes, and in any case of letters.
    String.raw`C:\Go\bin\dlv.exe exec server`,
  ])('knows %s', (line) => {
    expect(isInspected(line)).toBe(true);
  });

  it.each([
    'node server.js --inspect',
    'node --require ./setup.js server.js --inspect-brk',
    'node server.js --inspector dlv-notes',
    'npx -y some-server --inspect',
    'python3 server.py -m debugpy',
    'python3 -m server debugpy',
    'some-server dlv --inspect',
    'some-server node --inspect',
  ])('does not take a word of the server for one of its program: %s', (line) => {
    expect(isInspected(line)).toBe(false);
  });

  it('knows the flag in NODE_OPTIONS, behind a shell, and behind a script of one', () => {
    expect(isInspected('npx server', { NODE_OPTIONS: '--max-old-space-size=99 --inspect' })).toBe(true);
    expect(isInspected('npx server', { NODE_OPTIONS: '--inspector' })).toBe(false);
    const script = (text: string) => hasInspector(testConfig({}, { command: 'sh', args: ['-c', text] }));
    expect(script('cd /srv && exec node --inspect server.js')).toBe(true);
    expect(script('exec node server.js --inspect')).toBe(false);
  });
});
