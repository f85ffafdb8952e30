import { describe, expect, it } from 'vitest';
import { createEdgeBench } from './sessions-bench.ts';

/** As many sessions are kept in memory. */
const MAX_SESSIONS = 1000;
const FLOOD = 3 * MAX_SESSIONS;
const CHANGED = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: 'a://b' },
} as const;

/** A client with a subscription and no stream, on a server that is up, before somebody floods it. */
async function quietClient() {
  const bench = createEdgeBench();
  await bench.server.start();
  const quiet = bench.newClient('quiet');
  quiet.initialize();
  await bench.settle();
  quiet.request(1, 'resources/subscribe', { uri: 'a://b' });
  await bench.settle();
  bench.asked.at(-1)!.answer({});
  await bench.settle();
  const flood = async (count: number) => {
    const client = bench.newClient('flood');
    const replies = Array.from({ length: count }, () => client.initialize());
    await bench.settle();
    return { client, replies };
  };
  return { ...bench, quiet, flood };
}

describe('a client that begins thousands of sessions and uses none', () => {
  it('has as many in memory as all clients may, however fast it is, and each of them opens', async () => {
    const { flood, edge } = await quietClient();
    const { client, replies } = await flood(FLOOD);
    expect(edge.current.views()).toHaveLength(MAX_SESSIONS);
    for (const { headers, answer } of replies) {
      expect(answer).toHaveProperty('result');
      client.sessionId = headers['Mcp-Session-Id'];
      expect(client.request(1, 'ping').answer).toMatchObject({ id: 1, result: {} });
    }
    expect(edge.current.views()).toHaveLength(MAX_SESSIONS);
  });

  it('takes no place of another client, which loses nothing', async () => {
    const { flood, quiet, server, clock } = await quietClient();
    await clock.advance(1000);
    await flood(FLOOD);
    server.connection!.notified.emit(CHANGED);
    expect(quiet.request(2, 'ping').streamed).toEqual([CHANGED]);
  });

  it('ends none of its own sessions that it uses', async () => {
    const { newClient, flood, asked, edge, settle } = await quietClient();
    const busy = newClient('flood');
    busy.initialize();
    await settle();
    const stream = busy.listen();
    const calling = newClient('flood');
    calling.initialize();
    await settle();
    const call = calling.tool(1, 'slow');
    await settle();
    await flood(FLOOD);
    asked.at(-1)!.answer({});
    await settle();
    expect([stream.isOpen, call.answer]).toEqual([true, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect(edge.current.views()).toHaveLength(MAX_SESSIONS);
  });
});
