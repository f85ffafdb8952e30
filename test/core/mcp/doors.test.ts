import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { RpcError } from '../../../electron/core/mcp/rpc-error.ts';
import { createFakeClock } from '../fake-clock.ts';
import { createConnectionBench, outcomeOf, ScriptedTransport } from './connection-bench.ts';

const LIMITS = { timeoutMs: 1000, maxTotalMs: 5000 };
const ask = (id: number | string, method = 'sampling/createMessage'): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { maxTokens: 1 },
});
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };

async function opened() {
  const bench = await createConnectionBench(LIMITS);
  const { transport } = bench;
  transport.sent.length = 0;
  return { ...bench, settle: () => bench.clock.advance(0) };
}

describe('the greeting', () => {
  const greetedBy = async (greeting: Record<string, unknown>, version?: string) => {
    const transport = new ScriptedTransport();
    transport.greeting = greeting;
    const versions: string[] = [];
    transport.setProtocolVersion = (set) => versions.push(set);
    if (version) transport.greeting['protocolVersion'] = version;
    const bench = await createConnectionBench(LIMITS, { transport });
    return { ...bench, versions };
  };

  it('is kept whole, as the server wrote it', async () => {
    const greeting = {
      serverInfo: { name: 'notes', version: '2', title: 'Notes', icons: [{ src: 'data:,' }], unheardOf: 1 },
      instructions: 'Ask for notes.',
      capabilities: { tools: { listChanged: true }, 'x/own': {} },
      _meta: { a: 1 },
    };
    const { connection } = await greetedBy({ ...greeting });
    expect(connection.greeting).toEqual({ protocolVersion: '2025-11-25', ...greeting });
    expect(connection.serverInfo).toEqual({ name: 'notes', version: '2' });
    expect(connection.capabilities).toEqual(greeting.capabilities);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'])(
    'may choose the version %s, which the transport is told before anything else is sent',
    async (version) => {
      const { connection, versions, transport } = await greetedBy({}, version);
      expect(versions).toEqual([version]);
      expect(connection.greeting?.protocolVersion).toBe(version);
      expect(transport.sent.map((message) => 'method' in message && message.method)).toEqual([
        'initialize',
        'notifications/initialized',
      ]);
    },
  );

  it('ends the handshake by a version that nobody here speaks, and by a form that it must not have', async () => {
    const words = (text: string) => `The server did not complete the MCP handshake: ${text}`;
    await expect(greetedBy({}, '1999-01-01')).rejects.toMatchObject({
      code: 'PROTOCOL_ERROR',
      message: words("Server's protocol version is not supported: 1999-01-01."),
    });
    await expect(greetedBy({ serverInfo: 'notes' })).rejects.toMatchObject({ code: 'PROTOCOL_ERROR' });
  });

  it.each([
    [-32020, 'Header mismatch'],
    [-32021, 'Missing required client capability'],
    [-32022, 'Unsupported protocol version'],
    [-32601, 'Method not found'],
  ])(
    'ends the handshake by the answer %i of a server of a later era, which it says once',
    async (code, words) => {
      const transport = new ScriptedTransport();
      transport.refused = { code, message: words, data: { supported: ['2026-07-28'] } };
      const failure = createConnectionBench(LIMITS, { transport });
      await expect(failure).rejects.toMatchObject({
        code: 'PROTOCOL_ERA_UNSUPPORTED',
        message: `The server only speaks versions of MCP that the panel does not speak; to initialize it answered: ${words}.`,
        data: { rpcCode: code, rpcData: { supported: ['2026-07-28'] } },
        remedy: expect.stringContaining('Update the panel or the server') as string,
      });
      expect(transport.sent).toHaveLength(1);
    },
  );

  describe('refused with a code of no era', () => {
    const refusedBy = async (discovered?: object) => {
      const transport = new ScriptedTransport();
      transport.refused = { code: -32602, message: 'missing _meta' };
      transport.discovered = discovered;
      const clock = createFakeClock();
      const failure = createConnectionBench(LIMITS, { transport, clock }).catch((error: unknown) => error);
      await clock.advance(0);
      await clock.advance(2000);
      return { failure: await failure, asked: transport.sent.map((one) => 'method' in one && one.method) };
    };

    it.each([
      { result: { supportedVersions: ['2026-07-28'], capabilities: {} } },
      { error: { code: -32022, message: 'Unsupported protocol version' } },
    ])('is of a later era where server/discover says so: %j', async (discovered) => {
      const { failure, asked } = await refusedBy(discovered);
      expect(failure).toMatchObject({ code: 'PROTOCOL_ERA_UNSUPPORTED', data: { rpcCode: -32602 } });
      expect(asked).toEqual(['initialize', 'server/discover']);
    });

    it.each([undefined, { result: {} }, { error: { code: -32601, message: 'Method not found' } }])(
      'is the error of the server where server/discover does not: %j',
      async (discovered) => {
        const { failure } = await refusedBy(discovered);
        expect(failure).toMatchObject({ code: 'SERVER_ERROR', data: { rpcCode: -32602 } });
      },
    );
  });

  it('is asked for with nothing that the client can do, or with what its owner says', async () => {
    const declared = async (clientCapabilities?: object) => {
      const { transport } = await createConnectionBench(LIMITS, { clientCapabilities });
      return (transport.sent[0] as { params: Record<string, unknown> }).params;
    };
    expect(await declared()).toMatchObject({ protocolVersion: '2025-11-25', capabilities: {} });
    expect((await declared({ sampling: {} }))['capabilities']).toEqual({ sampling: {} });
  });
});

describe('what a server tells', () => {
  it('reaches every subscriber until it leaves, in order, and before the answer that came behind it', async () => {
    const { connection, transport, settle } = await opened();
    const heard: string[] = [];
    const leave = connection.onNotification(({ method }) => heard.push(`one ${method}`));
    connection.onNotification(({ method }) => heard.push(`two ${method}`));
    void connection.request('tools/call', {}).then(() => heard.push('answer'));
    transport.say({ jsonrpc: '2.0', method: 'a' });
    transport.answer(transport.lastId);
    await settle();
    leave();
    transport.say({ jsonrpc: '2.0', method: 'b' });
    expect(heard).toEqual(['one a', 'two a', 'answer', 'two b']);
  });

  it('is not its progress and cancellations: those belong to requests', async () => {
    const { connection, transport, settle } = await opened();
    const heard: unknown[] = [];
    connection.onNotification((notification) => heard.push(notification));
    const outcome = outcomeOf(
      connection.request('tools/call', {}, { onProgress: (progress) => heard.push(progress) }),
    );
    await settle();
    const told = { progress: 1, total: 2, message: 'm', more: 3, _meta: { trace: 't' } };
    const params = { progressToken: String(transport.lastId), ...told };
    transport.say({ jsonrpc: '2.0', method: 'notifications/progress', params });
    for (const bad of [{ progress: '1' }, { progress: 1, total: '2' }, { progress: 1, message: 3 }])
      transport.say({ jsonrpc: '2.0', method: 'notifications/progress', params: { ...params, ...bad } });
    transport.cancel(transport.lastId);
    await settle();
    // Fields that are new to this version are its client's to judge; the token is this connection's own.
    expect(heard).toEqual([told]);
    expect(outcome.now).toBe('CANCELLED');
  });
});

describe('what a server asks', () => {
  it('is refused while nobody owns its requests, and told to whoever listens', async () => {
    const { connection, transport, settle } = await opened();
    const asked: string[] = [];
    connection.onAsked(({ method }) => asked.push(method));
    transport.say(ask('a'));
    await settle();
    expect(asked).toEqual(['sampling/createMessage']);
    expect(transport.sent).toEqual([{ jsonrpc: '2.0', id: 'a', error: METHOD_NOT_FOUND }]);
  });

  it('is answered by its one owner, until the owner leaves', async () => {
    const { connection, transport, settle } = await opened();
    const leave = connection.onRequest(({ id, method, params }) => Promise.resolve({ id, method, params }));
    expect(() => connection.onRequest(() => Promise.resolve({}))).toThrow('owner');
    transport.say(ask('a'));
    await settle();
    leave();
    transport.say(ask('b'));
    await settle();
    connection.onRequest(() => Promise.resolve({ later: true }));
    leave();
    transport.say(ask('c'));
    await settle();
    expect(transport.sent).toEqual([
      {
        jsonrpc: '2.0',
        id: 'a',
        result: { id: 'a', method: 'sampling/createMessage', params: { maxTokens: 1 } },
      },
      { jsonrpc: '2.0', id: 'b', error: METHOD_NOT_FOUND },
      { jsonrpc: '2.0', id: 'c', result: { later: true } },
    ]);
  });

  it('is refused in the words of its owner, which a fault of ours does not show', async () => {
    const { connection, transport, settle } = await opened();
    connection.onRequest(({ id }) =>
      Promise.reject(id === 1 ? new RpcError(-1, 'declined', { by: 'user' }) : new Error('/home/a is gone')),
    );
    for (const id of [1, 2]) transport.say(ask(id));
    await settle();
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'declined', data: { by: 'user' } } },
      { jsonrpc: '2.0', id: 2, error: { code: -32603, message: 'Internal error' } },
    ]);
  });

  it('is answered here where it is a ping, which is nothing to learn from', async () => {
    const { connection, transport } = await opened();
    const asked: string[] = [];
    connection.onAsked(({ method }) => asked.push(method));
    connection.onRequest(() => Promise.reject(new Error('never asked')));
    transport.say({ jsonrpc: '2.0', id: 0, method: 'ping' });
    expect(transport.sent).toEqual([{ jsonrpc: '2.0', id: 0, result: {} }]);
    expect(asked).toEqual([]);
  });

  it.each<[string, (bench: Awaited<ReturnType<typeof opened>>) => void]>([
    ['the server cancels it', ({ transport }) => transport.cancel('a')],
    ['the connection ends', ({ connection }) => connection.end(new PanelError('STOPPED', 'x'))],
  ])('is dropped without an answer when %s', async (_when, finish) => {
    const bench = await opened();
    const signals: AbortSignal[] = [];
    const result = createDeferred<Record<string, unknown>>();
    bench.connection.onRequest((_request, signal) => {
      signals.push(signal);
      return result.promise;
    });
    bench.transport.say(ask('a'));
    expect(signals[0]!.aborted).toBe(false);
    finish(bench);
    expect(signals[0]!.aborted).toBe(true);
    result.resolve({});
    await bench.settle();
    expect(bench.transport.sent).toEqual([]);
  });

  it('fills no memory where it asks on and on: what is too many at a time is refused', async () => {
    const { connection, transport, settle } = await opened();
    const result = createDeferred<Record<string, unknown>>();
    connection.onRequest(() => result.promise);
    for (let id = 0; id < 300; id += 1) transport.say(ask(id));
    expect(transport.sent).toHaveLength(300 - 256);
    expect(transport.sent[0]).toMatchObject({ id: 256, error: { code: -32603 } });
    result.resolve({});
    await settle();
    expect(transport.sent).toHaveLength(300);
  });
});

describe('what is told to a server', () => {
  it('leaves as it is given, and its sender hears when it does not', async () => {
    const { connection, transport } = await opened();
    await connection.notify('notifications/roots/list_changed');
    await connection.notify('notifications/x', { a: 1 });
    expect(transport.sent).toEqual([
      { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
      { jsonrpc: '2.0', method: 'notifications/x', params: { a: 1 } },
    ]);
    transport.refusal = new PanelError('STALLED', 'x');
    await expect(connection.notify('notifications/x')).rejects.toMatchObject({ code: 'STALLED' });
  });

  it('is a progress token of ours with each call, beside what its caller says in _meta', async () => {
    const { connection, transport } = await opened();
    void connection.request('tools/call', { name: 'x', _meta: { trace: 't', progressToken: 'own' } });
    void connection.request('tools/list', undefined);
    expect(transport.sent).toMatchObject([
      { params: { name: 'x', _meta: { trace: 't', progressToken: 1 } } },
      { params: { _meta: { progressToken: 2 } } },
    ]);
    connection.probe('ping').catch(() => undefined);
    expect(transport.sent[2]).toEqual({ jsonrpc: '2.0', id: 3, method: 'ping' });
  });
});

describe('the end of each call', () => {
  it('is told with how it ended and how long its caller waited', async () => {
    const { connection, transport, clock, settle } = await opened();
    const ends: unknown[] = [];
    connection.onCallEnded((end) => ends.push(end));
    const abort = new AbortController();
    const begin = (name: string) => {
      connection.request('tools/call', { name }, { signal: abort.signal }).catch(() => undefined);
      return transport.lastId;
    };
    transport.answer(begin('result'));
    await settle();
    transport.say({ jsonrpc: '2.0', id: begin('error'), error: { code: 1, message: 'no' } });
    begin('timeout');
    await clock.advance(1000);
    transport.cancel(begin('by the server'));
    connection.lose(begin('lost'), new PanelError('UNREACHABLE', 'x'));
    await settle();
    begin('by the caller');
    abort.abort();
    await settle();
    begin('never sent');
    await settle();
    const told = (target: string, outcome: string, durationMs = 0) => ({
      method: 'tools/call',
      target,
      durationMs,
      outcome,
      isOwnQuestion: false,
    });
    expect(ends).toEqual([
      told('result', 'result'),
      told('error', 'error'),
      told('timeout', 'timeout', 1000),
      told('by the server', 'cancelled'),
      told('lost', 'lost'),
      told('by the caller', 'cancelled'),
    ]);
  });

  it('says which of them the panel asked for itself', async () => {
    const { connection, transport, settle } = await opened();
    const ends: object[] = [];
    connection.onCallEnded((end) => ends.push(end));
    void connection.request('tools/list', {}, { isOwnQuestion: true });
    transport.answer(transport.lastId);
    await settle();
    expect(ends).toMatchObject([{ method: 'tools/list', outcome: 'result', isOwnQuestion: true }]);
  });

  it('is not told of questions of supervision, whose round trip is', async () => {
    const { connection, transport, clock, settle } = await opened();
    const ends: unknown[] = [];
    const roundTripsMs: number[] = [];
    connection.onCallEnded((end) => ends.push(end));
    connection.onProbeAnswered((rttMs) => roundTripsMs.push(rttMs));
    const answered = connection.probe('ping');
    await clock.advance(40);
    transport.answer(transport.lastId);
    expect(await answered).toBe(40);
    const lost = outcomeOf(connection.probe('ping'));
    connection.end(new PanelError('CRASHED', 'x'));
    await settle();
    expect(lost.now).toBe('CRASHED');
    expect(roundTripsMs).toEqual([40]);
    expect(ends).toEqual([]);
  });
});
