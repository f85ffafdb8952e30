import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import { RpcError } from '../../../../electron/core/mcp/rpc-error.ts';
import { asLongError, longResult } from '../../long-message.ts';
import { createEdgeBench } from './sessions-bench.ts';

const GREETING = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'known', version: '1' },
};

/** A bench whose server is up, and a client with a session. */
async function connected() {
  const bench = createEdgeBench();
  await bench.server.start();
  const client = bench.newClient('cursor');
  client.initialize();
  await bench.settle();
  return { ...bench, client };
}

describe('initialize', () => {
  it('gives the greeting of the server with the version that the client speaks, and a session id', async () => {
    const bench = createEdgeBench();
    await bench.server.start();
    const client = bench.newClient('cursor');
    const reply = client.initialize({ protocolVersion: '2025-03-26' });
    await bench.settle();
    expect(reply.answer?.result).toEqual({
      ...bench.server.connection!.greeting,
      protocolVersion: '2025-03-26',
    });
    expect(JSON.parse(client.sessionId!)).toMatchObject({ clientId: 'id of cursor', server: 'one' });
  });

  it('answers a version that nobody speaks with the latest one', async () => {
    const { client, settle } = await connected();
    const reply = client.initialize({ protocolVersion: '2019-01-01' });
    await settle();
    expect(reply.answer?.result).toMatchObject({ protocolVersion: '2025-11-25' });
  });

  it('starts no server whose greeting is known', async () => {
    const bench = createEdgeBench();
    bench.catalogue.known = { greeting: GREETING, lists: { 'tools/list': '{"tools":[{"name":"kept"}]}' } };
    const client = bench.newClient('cursor');
    const reply = client.initialize({ protocolVersion: '2025-11-25' });
    await bench.settle();
    const tools = client.request(1, 'tools/list');
    await bench.settle();
    expect(reply.answer?.result).toEqual(GREETING);
    expect(tools.text).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"kept"}]}}');
    expect(bench.server.starts).toBe(0);
  });

  it('waits for the start of a server of which nothing is known', async () => {
    const bench = createEdgeBench();
    bench.server.isParked = true;
    const reply = bench.newClient('cursor').initialize();
    await bench.settle();
    expect(reply.ends).toBe(0);
    expect(reply.headers).toHaveProperty('Mcp-Session-Id');
    bench.server.becomeReady();
    await bench.settle();
    expect(reply.answer?.result).toMatchObject({ serverInfo: { name: 'fake' } });
    expect(bench.server.starts).toBe(1);
  });

  it('does not offer tasks of a connection that others share', async () => {
    const bench = createEdgeBench();
    await bench.server.start();
    Object.assign(bench.server.connection!.greeting.capabilities, { tasks: { list: {} }, tools: {} });
    const client = bench.newClient('cursor');
    const reply = client.initialize();
    await bench.settle();
    const list = client.request(1, 'tasks/list');
    await bench.settle();
    expect(reply.answer?.result).toMatchObject({ capabilities: { tools: {} } });
    expect(reply.text).not.toContain('tasks');
    expect(list.answer?.error).toEqual({ code: -32601, message: 'Method not found' });
    expect(bench.asked).toEqual([]);
  });

  it('accepts a stale id and gives a new one', async () => {
    const { client, settle } = await connected();
    client.sessionId = 'stale';
    const reply = client.initialize();
    await settle();
    expect(reply.answer).toHaveProperty('result');
    expect(client.sessionId).toContain('nonce-2');
  });
});

describe('what has no session', () => {
  it('is refused: 400 without an id, 404 with an unknown, foreign or ended one, 404 of an unknown server', async () => {
    const {
      client,
      client: { sessionId },
      ...bench
    } = await connected();
    const stranger = bench.newClient('stranger');
    expect(stranger.request(1, 'ping')).toMatchObject({
      code: 400,
      answer: { id: 1, error: { code: -32000 } },
    });
    stranger.sessionId = sessionId;
    expect(stranger.request(1, 'ping')).toMatchObject({ code: 404, answer: { error: { code: -32001 } } });
    const elsewhere = bench.newClient('cursor', 'two');
    elsewhere.sessionId = sessionId;
    expect(elsewhere.request(1, 'ping').code).toBe(404);
    const ending = client.end();
    await bench.settle();
    expect(ending.code).toBe(204);
    expect(client.request(1, 'ping').code).toBe(404);
    expect(client.listen().code).toBe(404);
  });

  it('of a server that was removed is still answered, with an error', async () => {
    const { client, listed, settle } = await connected();
    listed.isThere = false;
    const reply = client.tool(1, 'echo');
    await settle();
    expect(reply.code).toBeUndefined();
    expect(reply.answer?.error).toMatchObject({
      code: -32603,
      data: { code: 'SERVER_UNKNOWN', server: 'one' },
    });
  });

  it('goes on after a restart of the panel', async () => {
    const { client, edge, create, asked, settle } = await connected();
    edge.current.dispose();
    edge.current = create();
    const reply = client.tool(7, 'echo');
    asked.at(-1)!.answer({ content: [] });
    await settle();
    expect(reply.answer).toEqual({ jsonrpc: '2.0', id: 7, result: { content: [] } });
  });
});

describe('a client of a later era', () => {
  it('is told with 400 that the method is missing, by body or header', async () => {
    const { client } = await connected();
    const missing = { code: 400, answer: { error: { code: -32601 } } };
    expect(client.request(1, 'server/discover')).toMatchObject(missing);
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    expect(client.request(2, 'tools/list', { _meta })).toMatchObject(missing);
    client.protocolVersion = '2026-07-28';
    expect(client.request('x', 'tools/list')).toMatchObject({ ...missing, answer: { id: 'x' } });
    client.protocolVersion = '2024-10-07';
    expect(client.request(3, 'tools/list')).toMatchObject({ code: 400, answer: { error: { code: -32000 } } });
  });
});

describe('a call', () => {
  it('passes params and result untouched, and goes out before anything is waited for', async () => {
    const { client, asked, settle, ended } = await connected();
    const params = { name: 'echo', arguments: { deep: [null, { a: 1 }] }, unheard: true };
    const reply = client.request('an id', 'custom/method', params);
    expect(asked.at(-1)).toMatchObject({ method: 'custom/method', params });
    expect(asked.at(-1)?.options).not.toHaveProperty('onProgress');
    asked.at(-1)!.answer({ odd: [1, '2'], _meta: { x: 1 } });
    await settle();
    expect(reply.text).toBe('{"jsonrpc":"2.0","id":"an id","result":{"odd":[1,"2"],"_meta":{"x":1}}}');
    expect(ended).toMatchObject([
      {
        clientId: 'id of cursor',
        clientName: 'cursor',
        server: 'one',
        method: 'custom/method',
        target: 'echo',
        outcome: 'result',
      },
    ]);
  });

  it('has the bytes of a long result passed on, with its own id in them', async () => {
    const { client, asked, settle } = await connected();
    const reply = client.tool('mine', 'big');
    asked.at(-1)!.answer(longResult('{"n" : 1.000000000000000000001}'));
    await settle();
    expect(reply.text).toBe('{"jsonrpc":"2.0","id":"mine","result":{"n" : 1.000000000000000000001}}');
  });

  it('has the error of the server as it said it, and ours with code, server and remedy, without secrets', async () => {
    const { client, asked, server, settle, ended } = await connected();
    const own = new RpcError(-32002, 'No such thing', { uri: 'a://b' });
    const refused = client.tool(1, 'echo');
    asked.at(-1)!.fail(new PanelError('SERVER_ERROR', 'No such thing', { cause: own }));
    await settle();
    expect(refused.text).toBe(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"No such thing","data":{"uri":"a://b"}}}',
    );
    const lost = client.tool(2, 'echo');
    server.crash();
    await settle();
    expect(lost.answer?.error).toEqual({
      code: -32603,
      message:
        'It was ended by ***. Read its logs to see why it ended; unless it was given up, it is started again automatically.',
      data: { code: 'CRASHED', server: 'one', remedy: expect.any(String) as string },
    });
    expect(ended.map(({ outcome }) => outcome)).toEqual(['error', 'lost']);
  });

  it('has the bytes of a long error of the server', async () => {
    const { client, asked, settle } = await connected();
    const long = await asLongError({
      jsonrpc: '2.0',
      id: 99,
      error: { code: 5, message: 'm', data: 'd'.repeat(70_000) },
    });
    const reply = client.tool(1, 'echo');
    asked.at(-1)!.fail(new PanelError('SERVER_ERROR', 'm', { cause: new RpcError(5, 'm', undefined, long) }));
    await settle();
    expect(reply.answer).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 5, message: 'm', data: 'd'.repeat(70_000) },
    });
  });

  it('hears of progress under its own token, only where it gave one', async () => {
    const { client, asked, settle } = await connected();
    const reply = client.tool('token', 'slow');
    asked.at(-1)!.options.onProgress?.({ progress: 1, total: 2 });
    asked.at(-1)!.answer({});
    await settle();
    expect(reply.streamed).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progress: 1, total: 2, progressToken: 'token' },
      },
    ]);
  });

  it('hears every 20 s that a silent server still works, until the server sends progress itself', async () => {
    const { client, asked, clock } = await connected();
    const reply = client.tool('token', 'slow');
    const other = client.request(2, 'tools/call', { name: 'slow', arguments: {} });
    const words = () => reply.streamed.map(({ params }) => params?.['message']);
    await clock.advance(19_000);
    expect(words()).toEqual([]);
    await clock.advance(43_000);
    expect(words()).toEqual([
      'one is still working, 20 s',
      'one is still working, 40 s',
      'one is still working, 60 s',
    ]);
    asked[0]!.options.onProgress?.({ progress: 1, message: 'its own' });
    await clock.advance(60_000);
    expect(words().slice(3)).toEqual(['its own']);
    const steps = reply.streamed.map(({ params }) => Number(params?.['progress']));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(other.streamed).toEqual([]);
  });

  it('that its client cancels is cancelled at the server, and has no answer', async () => {
    const { client, asked, settle, ended } = await connected();
    const [cancelled, other] = [client.tool(1, 'slow'), client.tool(2, 'slow')];
    const accepted = client.post({
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    });
    await settle();
    expect(accepted.code).toBe(202);
    expect(asked.map(({ options }) => options.cancellation?.aborted)).toEqual([true, false]);
    expect(cancelled).toMatchObject({ answer: undefined, ends: 1 });
    expect(other.isOpen).toBe(true);
    expect(ended).toMatchObject([{ outcome: 'cancelled' }]);
  });

  it('goes on when its client leaves, for as long as that asks for other things, and a minute after it', async () => {
    const { client, asked, clock } = await connected();
    client.tool(1, 'slow').leave();
    await clock.advance(50_000);
    client.request(2, 'ping');
    await clock.advance(59_000);
    expect(asked[0]?.options.cancellation?.aborted).toBe(false);
    await clock.advance(2000);
    expect(asked[0]?.options.cancellation?.aborted).toBe(true);
    await clock.advance(2000);
  });

  it('is refused at once when a person has stopped the server, and starts nothing', async () => {
    const { client, server, stop, settle } = await connected();
    await stop();
    const reply = client.tool(1, 'echo');
    await settle();
    expect(reply.answer?.error).toMatchObject({
      code: -32603,
      message: 'one was stopped. Start it in MCP Control Panel.',
      data: { code: 'STOPPED' },
    });
    expect(server.starts).toBe(1);
  });

  it('starts a server that was never started, unless the settings forbid it', async () => {
    const bench = createEdgeBench();
    const client = bench.newClient('cursor');
    bench.settings.startOnDemand = false;
    const refused = client.initialize();
    await bench.settle();
    expect(refused.answer?.error).toMatchObject({ data: { code: 'STOPPED' } });
    expect(bench.server.starts).toBe(0);
    bench.settings.startOnDemand = true;
    const reply = client.tool(1, 'echo');
    await bench.settle();
    bench.asked.at(-1)!.answer({});
    await bench.settle();
    expect(reply.answer).toHaveProperty('result');
  });

  it('that waited for the start is over before a later one that is answered after it', async () => {
    const bench = createEdgeBench();
    bench.catalogue.known = { greeting: GREETING, lists: {} };
    const client = bench.newClient('cursor');
    client.initialize();
    client.tool(1, 'a');
    await bench.settle();
    client.tool(2, 'b');
    const [first, second] = bench.asked;
    first!.answer({ content: [] });
    second!.answer({ content: [] });
    await bench.settle();
    expect(bench.ended).toHaveLength(2);
    expect(bench.orders).toEqual([]);
  });

  it('hears how long the start takes', async () => {
    const bench = createEdgeBench();
    bench.server.isParked = true;
    const client = bench.newClient('cursor');
    client.initialize();
    await bench.settle();
    const reply = client.tool(1, 'echo');
    await bench.clock.advance(2000);
    const words = reply.streamed.map(({ params }) => params?.['message']);
    expect(words).toEqual(['starting one, 1 s', 'starting one, 2 s']);
    bench.server.becomeReady();
    await bench.settle();
    expect(bench.asked.map(({ method }) => method)).toEqual(['tools/call']);
  });
});

describe('the lease of a session', () => {
  const leasesOf = ({ sessions }: Pick<Awaited<ReturnType<typeof connected>>, 'sessions'>) =>
    sessions.view('one').sessions.flatMap(({ leases }) => leases);

  it('is one for all calls that wait for the next generation of the server', async () => {
    const { client, server, asked, settle, sessions } = await connected();
    server.crash();
    await settle();
    for (const id of [1, 2, 3]) client.tool(id, 'echo');
    await settle();
    server.becomeReady();
    await settle();
    expect(asked.map(({ method }) => method)).toEqual(['tools/call', 'tools/call', 'tools/call']);
    expect(leasesOf({ sessions })).toMatchObject([{ callsInFlight: 3 }]);
    client.end();
    await settle();
    // Whether each of them was given back shows in the end that the session has now.
    for (const question of asked) question.answer({});
    await settle();
    expect(sessions.view('one').sessions[0]).toHaveProperty('evictsAt');
  });

  it('is given back where it comes after the end of the session', async () => {
    const bench = createEdgeBench();
    bench.server.isParked = true;
    const client = bench.newClient('cursor');
    client.initialize();
    const reply = client.tool(1, 'echo');
    await bench.settle();
    client.end();
    await bench.settle();
    bench.server.becomeReady();
    await bench.settle();
    expect([reply.isOpen, bench.asked]).toEqual([false, []]);
    expect(leasesOf(bench)).toEqual([]);
  });
});

describe('what a server keeps for its clients', () => {
  it('is told again to the next generation: log level and subscriptions', async () => {
    const { client, server, asked, settle } = await connected();
    const logs = { capabilities: { logging: {} } };
    Object.assign(server.connection!.greeting, logs);
    const level = client.request(1, 'logging/setLevel', { level: 'debug' });
    client.request(2, 'resources/subscribe', { uri: 'a://b' });
    await settle();
    asked.at(-1)!.answer({});
    await settle();
    expect(level.answer).toMatchObject({ id: 1, result: {} });
    server.crash();
    await settle();
    server.becomeReady();
    await settle();
    expect(asked.map(({ method, params }) => [method, params?.['uri']])).toEqual([
      ['resources/subscribe', 'a://b'],
      ['resources/subscribe', 'a://b'],
    ]);
  });

  it('owes a changed list to a client without a stream, which has it before its next answer', async () => {
    const { client, catalogue, clock, asked, settle, ...bench } = await connected();
    const listener = bench.newClient('other');
    listener.initialize();
    await settle();
    const stream = listener.listen();
    for (const one of [client, listener]) one.tool(1, 'echo');
    await settle();
    catalogue.changes.emit({ key: catalogue.learnt[0]!, list: 'tools', method: 'tools/list' });
    await clock.advance(1000);
    const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    expect(stream.streamed).toEqual([changed]);
    const reply = client.tool(2, 'echo');
    asked.at(-1)!.answer({});
    await settle();
    expect(reply.streamed).toEqual([changed]);
    expect(client.request(3, 'ping').streamed).toEqual([]);
  });
});

describe('what a server asks its client', () => {
  it('can be asked of another client once the first one has left', async () => {
    const { client, settle, server, newClient } = await connected();
    client.end();
    await settle();
    const other = newClient('other');
    other.initialize({ capabilities: { sampling: {} } });
    await settle();
    const reply = other.tool(1, 'ask');
    const question = { id: 5, method: 'sampling/createMessage', params: {} };
    server.connection!.owner!(question, new AbortController().signal, () => undefined).catch(() => undefined);
    await settle();
    expect(reply.streamed).toMatchObject([{ method: 'sampling/createMessage' }]);
  });
});

describe('a session', () => {
  it('has one stream: the second one replaces the first', async () => {
    const { client } = await connected();
    const [first, second] = [client.listen(), client.listen()];
    expect([first.isOpen, second.isOpen]).toEqual([false, true]);
    first.leave();
    expect(second.isOpen).toBe(true);
  });

  it('is shown with its calls, and forgotten when it is idle', async () => {
    const { client, clock, edge, asked, settle } = await connected();
    client.tool(1, 'slow');
    await clock.advance(1000);
    expect(edge.current.views()).toMatchObject([
      {
        clientId: 'id of cursor',
        server: 'one',
        capabilities: 'plain',
        inFlight: [{ method: 'tools/call', target: 'slow', sinceMs: 1000 }],
      },
    ]);
    await clock.advance(20 * 60_000);
    expect(edge.current.views()).toHaveLength(1);
    asked.at(-1)!.answer({});
    await settle();
    await clock.advance(60_000);
    expect(edge.current.views()).toEqual([]);
    expect(client.request(2, 'ping').answer).toMatchObject({ id: 2, result: {} });
  });

  it('leaves no timer behind', async () => {
    const { client, edge, clock, sessions } = await connected();
    client.tool(1, 'slow');
    edge.current.dispose();
    await sessions.close();
    await clock.advance(2000);
    expect(clock.pending).toBe(0);
  });
});
