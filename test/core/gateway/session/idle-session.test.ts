import { describe, expect, it } from 'vitest';
import { createEdgeBench } from './sessions-bench.ts';

const IDLE_MS = 15 * 60_000;
/** Idle sessions are looked for once a minute. */
const SWEEP_MS = 60_000;
const LOGS = { capabilities: { logging: {} } };
const CHANGED = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: 'a://b' },
} as const;

/** A client that has asked for the most verbose logs and for the changes of a resource, and is silent from then on. */
async function silentClient() {
  const bench = createEdgeBench();
  await bench.server.start();
  Object.assign(bench.server.connection!.greeting, LOGS);
  const client = bench.newClient('cursor');
  client.initialize();
  await bench.settle();
  client.request(1, 'logging/setLevel', { level: 'debug' });
  client.request(2, 'resources/subscribe', { uri: 'a://b' });
  await bench.settle();
  bench.asked.at(-1)!.answer({});
  await bench.settle();
  /** Sessions that somebody has a lease of: those without one have a time at which they will end. */
  const leased = () => bench.sessions.view('one').sessions.filter(({ evictsAt }) => evictsAt === undefined);
  const methods = () => bench.asked.map(({ method }) => method);
  const becomesIdle = () => bench.clock.advance(IDLE_MS + SWEEP_MS);
  return { ...bench, client, leased, methods, becomesIdle };
}

describe('a session of which nothing has come for a quarter of an hour', () => {
  it('gives its lease back, not a minute before, and takes one again for the next call', async () => {
    const { client, clock, leased, edge, asked, settle } = await silentClient();
    await clock.advance(IDLE_MS - SWEEP_MS);
    expect([leased().length, edge.current.views().length]).toEqual([1, 1]);
    await clock.advance(2 * SWEEP_MS);
    expect([leased().length, edge.current.views().length]).toEqual([0, 0]);
    const reply = client.tool(3, 'echo');
    await settle();
    asked.at(-1)!.answer({ content: [] });
    await settle();
    expect(reply.answer).toEqual({ jsonrpc: '2.0', id: 3, result: { content: [] } });
    expect([leased().length, edge.current.views().length]).toEqual([1, 1]);
  });

  it('keeps its log level and its subscriptions, which the server is asked for once', async () => {
    const { client, server, becomesIdle, methods, asked, settle } = await silentClient();
    await becomesIdle();
    const reply = client.tool(3, 'work');
    await settle();
    const log = { method: 'notifications/message', params: { level: 'debug', data: 'detail' } };
    server.connection!.notified.emit(log);
    server.connection!.notified.emit(CHANGED);
    asked.at(-1)!.answer({});
    await settle();
    expect(reply.streamed).toEqual([{ jsonrpc: '2.0', ...log }]);
    expect(client.request(4, 'ping').streamed).toEqual([CHANGED]);
    expect(methods()).toEqual(['resources/subscribe', 'tools/call']);
    expect(server.connection!.levels).toEqual(['debug']);
  });

  it('is owed what happened meanwhile: changed resources and lists', async () => {
    const { client, server, catalogue, clock, becomesIdle } = await silentClient();
    await becomesIdle();
    server.connection!.notified.emit(CHANGED);
    catalogue.changes.emit({ key: catalogue.learnt[0]!, list: 'tools', method: 'tools/list' });
    await clock.advance(1000);
    const changedTools = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    expect(client.request(3, 'ping').streamed).toEqual([CHANGED, changedTools]);
  });

  it('is restored at the next run of its server, whose start does not bring its lease back', async () => {
    const { client, server, leased, becomesIdle, methods, settle } = await silentClient();
    await becomesIdle();
    server.crash();
    await settle();
    server.becomeReady();
    Object.assign(server.connection!.greeting, LOGS);
    await settle();
    expect(leased()).toEqual([]);
    client.tool(3, 'echo');
    await settle();
    expect(methods()).toEqual(['resources/subscribe', 'resources/subscribe', 'tools/call']);
    expect(server.connection!.levels).toEqual(['debug']);
    expect(leased()).toHaveLength(1);
  });

  it('that holds a stream open is not idle', async () => {
    const { client, leased, becomesIdle } = await silentClient();
    const stream = client.listen();
    await becomesIdle();
    expect(leased()).toHaveLength(1);
    stream.leave();
    await becomesIdle();
    expect(leased()).toEqual([]);
  });

  it('that comes back for a stream alone hears of the resource over the next run of its server, too', async () => {
    const { client, server, becomesIdle, settle, asked } = await silentClient();
    await becomesIdle();
    const stream = client.listen();
    server.crash();
    await settle();
    server.becomeReady();
    await settle();
    asked.at(-1)!.answer({});
    server.connection!.notified.emit(CHANGED);
    expect(stream.streamed).toEqual([CHANGED]);
  });

  it('is forgotten after a day, and begins anew with what its id says', async () => {
    const { client, server, clock, asked, settle } = await silentClient();
    await clock.advance(24 * 60 * 60_000 + SWEEP_MS);
    const reply = client.tool(3, 'work');
    await settle();
    server.connection!.notified.emit(CHANGED);
    asked.at(-1)!.answer({});
    await settle();
    expect(reply.answer).toMatchObject({ id: 3, result: {} });
    expect(client.request(4, 'ping').streamed).toEqual([]);
  });

  it('leaves the way back to another one, which is not silent, when the server ends below both', async () => {
    const { newClient, server, becomesIdle, methods, settle, leased } = await silentClient();
    await becomesIdle();
    const active = newClient('active');
    active.initialize();
    await settle();
    active.listen();
    active.tool(1, 'echo');
    await settle();
    server.crash();
    await settle();
    server.becomeReady();
    await settle();
    expect(leased().flatMap(({ leases }) => leases.map(({ contextId }) => contextId))).toEqual([
      'gateway:id of active:nonce-2',
    ]);
    expect(methods().slice(-1)).toEqual(['resources/subscribe']);
  });
});

describe('a session that opens no stream', () => {
  it('hears at its next request of every resource that it may subscribe to, after a restart of its server', async () => {
    const { client, server, asked, settle } = await silentClient();
    const uris = Array.from({ length: 1000 }, (_, index) => (index === 0 ? 'a://b' : `a://b${index}`));
    for (const uri of uris.slice(1)) client.request(uri, 'resources/subscribe', { uri });
    await settle();
    for (const question of asked.splice(0)) question.answer({});
    await settle();
    server.crash();
    await settle();
    server.becomeReady();
    await settle();
    for (const question of asked.splice(0)) question.answer({});
    await settle();
    const told = client.request(3, 'ping').streamed.map(({ params }) => params?.['uri']);
    expect(told).toEqual(uris);
  });
});
