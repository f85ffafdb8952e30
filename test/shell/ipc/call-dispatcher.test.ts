import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../shared/domain.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { CallHandlers } from '../../../shared/ipc-contract.ts';
import { calls, type CallName } from '../../../shared/ipc/topics.ts';
import { dispatchCall } from '../../../electron/shell/ipc/call-dispatcher.ts';

const snapshot: Snapshot = {
  sequence: 7,
  appVersion: '1.0.0',
  electronVersion: '45.0.0',
  asksQuestions: true,
  config: { path: '/servers.json' },
  servers: [],
  approvals: [],
  events: [],
};

/** Handlers that record what reached them. */
function createHandlers(overrides: Partial<CallHandlers> = {}) {
  const heard: unknown[][] = [];
  const note =
    (name: string) =>
    async (...args: unknown[]): Promise<undefined> => {
      heard.push([name, ...args]);
    };
  const noting = Object.fromEntries(Object.keys(calls).map((name) => [name, note(name)]));
  const handlers = { ...noting, getSnapshot: async () => snapshot, ...overrides } as unknown as CallHandlers;
  return { handlers, heard };
}

async function dispatch(name: CallName, args: unknown[], overrides: Partial<CallHandlers> = {}) {
  const { handlers, heard } = createHandlers(overrides);
  const reports: string[] = [];
  const reply = await dispatchCall(name, args, {
    handlers,
    redact: async (text) => text.replaceAll('s3cret', '[redacted]'),
    report: (line) => reports.push(line),
  });
  return { reply, heard, reports };
}

describe('dispatchCall', () => {
  it('sends the result as JSON where it is declared so', async () => {
    const call = { callId: '1', name: 'one', method: 'tools/call', params: {} };
    const outcome = { result: { content: [] }, durationMs: 2 };
    const { reply } = await dispatch('callServer', [call], { callServer: async () => outcome });
    expect(reply).toEqual({ ok: true, value: JSON.stringify(outcome) });
  });

  it('hands checked arguments to the handler and its result back', async () => {
    expect((await dispatch('getSnapshot', [])).reply).toEqual({ ok: true, value: snapshot });
    const { heard, reply } = await dispatch('putServer', [
      { name: 'a', command: 'node', extra: { kept: 1 } },
    ]);
    expect(reply).toEqual({ ok: true, value: undefined });
    expect(heard).toEqual([['putServer', { name: 'a', command: 'node', extra: { kept: 1 } }]]);
    const basis = { basedOn: { name: 'a', entry: { command: 'npx', extra: { kept: 1 } } } };
    const based = await dispatch('putServer', [{ name: 'a', command: 'node' }, basis]);
    expect(based.heard).toEqual([['putServer', { name: 'a', command: 'node' }, basis]]);
  });

  it.each<[CallName, unknown[], string]>([
    ['startServer', [], 'startServer: arguments: expected at least 1, found 0 values'],
    ['startServer', [5], 'startServer: argument 1: expected string, found 5'],
    ['startServer', [null], 'startServer: argument 1: expected string, found null'],
    ['startServer', [{ name: 'a' }], 'startServer: argument 1: expected string, found an object'],
    ['startServer', [['a']], 'startServer: argument 1: expected string, found 1 values'],
    ['getHistory', ['a', -1], 'getHistory: argument 2: expected at least 0, found -1'],
    ['getHistory', ['a', '0'], 'getHistory: argument 2: expected number, found "0"'],
    ['putServer', [{ command: 'x' }], 'putServer: argument 1, name: expected string, found nothing'],
    ['putServer', ['a'], 'putServer: argument 1: expected object, found "a"'],
    ['getSnapshot', ['extra'], 'getSnapshot: arguments: expected at most 0, found 1 values'],
  ])('refuses %s(%j): where, what was expected, what was found', async (name, args, message) => {
    const { reply, heard, reports } = await dispatch(name, args);
    expect(reply).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID', message } });
    expect(heard).toEqual([]);
    expect(reports).toEqual([]);
  });

  const circle: Record<string, unknown> = { command: 'x' };
  circle['env'] = { self: circle };
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  const entry = (more: object) => [{ name: 'a', command: 'x', ...more }];

  const callOf = (args: object) => [
    { callId: '1', name: 'a', method: 'tools/call', params: { arguments: args } },
  ];

  it.each<[CallName, unknown[], string, string]>([
    ['putServer', entry({ env: circle }), ', env.env.self', 'an object that contains itself'],
    ['putSettings', [{ a: { b: [1, 2n] } }], ', a.b.1', 'a bigint'],
    ['testConnection', entry({ args: [undefined] }), ', args.0', 'nothing'],
    ['putServer', entry({ panel: { x: NaN } }), ', panel.x', 'NaN'],
    ['putServer', entry({ at: new Date(0) }), ', at', 'a Date'],
    ['putServer', entry({ run: () => 1 }), ', run', 'a function'],
    ['putServer', entry({ deep }), '', 'more than 500 levels of objects and lists'],
    ['callServer', callOf({ n: 1n }), ', params.arguments.n', 'a bigint'],
  ])('refuses, as a fault of the caller, what %s cannot write: %#', async (name, args, place, found) => {
    const { reply, heard, reports } = await dispatch(name, args);
    const message = `${name}: argument 1${place}: expected a JSON value, found ${found}`;
    expect(reply).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID', message } });
    expect(heard).toEqual([]);
    expect(reports).toEqual([]);
  });

  it('takes fields that hold nothing, and one object in two places', async () => {
    const shared = { kept: 1 };
    const { reply } = await dispatch('putServer', [
      ...entry({ cwd: undefined, a: shared, b: [shared] }),
      undefined,
    ]);
    expect(reply).toEqual({ ok: true, value: undefined });
  });

  const impossibleNames = ['', 'a b', '../x', 'a\0b', 'x'.repeat(65), '__proto__ ', 'ü'];

  it.each(impossibleNames)('refuses a server that would be named %j', async (name) => {
    const { reply, heard } = await dispatch('putServer', [{ name, command: 'x' }]);
    expect(reply).toMatchObject({ ok: false, error: { code: 'CONFIG_INVALID' } });
    expect(heard).toEqual([]);
  });

  it.each(impossibleNames)('asks for the server %j, which the panel does not know', async (name) => {
    const { heard } = await dispatch('removeServer', [name]);
    expect(heard).toEqual([['removeServer', name]]);
  });

  it('shows no more than the beginning of a long text', async () => {
    const { reply } = await dispatch('startServer', ['!'.repeat(10_000)]);
    expect(reply.ok ? '' : reply.error.message.length).toBeLessThan(250);
  });

  it('passes on code, message and remedy of an expected error', async () => {
    const error = new PanelError('CONFIG_BROKEN', 'line 3', { remedy: 'Mend it.' });
    const { reply, reports } = await dispatch('startServer', ['a'], {
      startServer: () => Promise.reject(error),
    });
    expect(reply).toEqual({
      ok: false,
      error: { code: 'CONFIG_BROKEN', message: 'line 3', remedy: 'Mend it.' },
    });
    expect(reports).toEqual([]);
  });

  it('hands on arguments and results as they are', async () => {
    const call = { callId: '1', name: 'one', method: 'tools/call', params: { text: 's3cret' } };
    const outcome = { result: { content: [{ text: 's3cret' }] }, durationMs: 2 };
    const heard: unknown[] = [];
    const answered = await dispatch('callServer', [call], {
      callServer: async (...args) => (heard.push(...args), outcome),
    });
    expect(heard).toEqual([call]);
    expect(answered.reply).toEqual({ ok: true, value: JSON.stringify(outcome) });
  });

  it('takes secrets out of all that a report carries to the page', async () => {
    const error = new PanelError('CONFIG_INVALID', 'said s3cret', {
      remedy: 'change s3cret',
      data: { field: 'env.s3cret', statement: 'found s3cret', causeLines: ['one', 's3cret'] },
      short: { phrase: 'said s3cret', brief: 's3cret', hasMore: true },
    });
    const { reply } = await dispatch('stopServer', ['a'], { stopServer: () => Promise.reject(error) });
    expect(JSON.stringify(reply)).not.toContain('s3cret');
    expect(reply).toMatchObject({
      error: {
        ...{ code: 'CONFIG_INVALID', message: 'said [redacted]', remedy: 'change [redacted]' },
        causeLines: ['one', '[redacted]'],
        data: { phrase: 'said [redacted]', brief: '[redacted]', hasMore: true, field: 'env.[redacted]' },
      },
    });
  });

  it('reports an unexpected error and still answers', async () => {
    const handler = () => Promise.reject(new TypeError('x is undefined'));
    const { reply, reports } = await dispatch('stopServer', ['a'], { stopServer: handler });
    expect(reply).toEqual({ ok: false, error: { code: 'PROTOCOL_ERROR', message: 'x is undefined' } });
    expect(reports[0]).toContain('stopServer failed unexpectedly');
  });

  it('never lets a result pass that breaks the contract', async () => {
    const broken = { ...snapshot, servers: [{ name: 'a' }] } as unknown as Snapshot;
    const { reply, reports } = await dispatch('getSnapshot', [], { getSnapshot: async () => broken });
    expect(reply).toMatchObject({ ok: false, error: { code: 'PROTOCOL_ERROR' } });
    expect(reports[0]).toContain('servers.0.');
  });
});
