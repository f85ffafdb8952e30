import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { startOwnGateway, type OwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { untilServing } from '../../fixtures/gateways/connect-client.ts';
import { createEdgeBench } from './session/sessions-bench.ts';
import { KeepAliveClient } from './keep-alive-client.ts';

// Two servers that offer tools of the same names, to the same client under the same ids (attack A17).

const SERVERS = ['one', 'two'] as const;
const CALLS = 50;

let gateway: OwnGateway;
let clients: KeepAliveClient[];

const pidOf = async (client: KeepAliveClient, id: number) =>
  (await client.request(id, 'tools/call', { name: 'pid', arguments: {} })).body;

describe('two servers with tools of the same names', () => {
  beforeAll(async () => {
    gateway = await startOwnGateway({ one: fixtureServer(), two: fixtureServer() });
    for (const server of SERVERS)
      await untilServing({ url: gateway.urlOf(server), token: gateway.token }, 'pid');
    clients = SERVERS.map((server) => new KeepAliveClient(gateway.urlOf(server), gateway.token));
    for (const client of clients) await client.initialize();
  }, 60_000);

  afterAll(async () => {
    for (const client of clients) client.close();
    await gateway.dispose();
  });

  it('each answer their own calls, whoever else uses the same ids and names at the same time', async () => {
    const answers = await Promise.all(
      clients.map(async (client) => {
        const found = new Set<string>();
        for (let id = 1; id <= CALLS; id += 1)
          found.add((await pidOf(client, id)).replace(`"id":${id}`, '"id":0'));
        return [...found];
      }),
    );
    expect(answers.map((found) => found.length)).toEqual([1, 1]);
    expect(answers[0]).not.toEqual(answers[1]);
  });

  it('each refuse a session of the other', async () => {
    const [one, two] = clients as [KeepAliveClient, KeepAliveClient];
    const own = two.sessionId;
    two.sessionId = one.sessionId;
    expect((await two.request(1, 'tools/call', { name: 'pid', arguments: {} })).status).toBe(404);
    two.sessionId = own;
    expect((await two.request(1, 'tools/call', { name: 'pid', arguments: {} })).status).toBe(200);
  });

  it('list what they have under its own name, in the same order each time', async () => {
    const lists = [];
    for (let time = 0; time < 3; time += 1)
      for (const client of clients) lists.push((await client.request(1, 'tools/list', {})).body);
    expect(new Set(lists).size).toBe(1);
    expect(lists[0]).toContain('"name":"echo"');
  });
});

describe('a name', () => {
  it('reaches the server as the client wrote it, and is taken for no method of ours', async () => {
    const bench = createEdgeBench();
    await bench.server.start();
    const client = bench.newClient('cursor');
    client.initialize();
    await bench.settle();
    const odd = fc.constantFrom(
      'tools/list',
      'initialize',
      'one__echo',
      'two/echo',
      'еcho',
      'x'.repeat(200),
      '__proto__',
    );
    const method = fc.constantFrom('tools/call', 'prompts/get');
    fc.assert(
      fc.property(method, fc.oneof(odd, fc.string({ unit: 'binary' })), (asked, name) => {
        client.request(1, asked, { name });
        expect(bench.asked.at(-1)).toMatchObject({ method: asked, params: { name } });
      }),
    );
  });
});
