import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayLimits } from '../../../electron/core/gateway/http/limits.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { inspect, INSPECTABLE, type Inspected } from '../../fixtures/gateways/inspected.ts';
import { startOwnGateway, type OwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { treeUse } from '../../fixtures/gateways/process-tree.ts';
import { RawConnection } from './gateway-fixture.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { onlyOn } from '../../support/skip-on.ts';

const SERVER = 'one';
const SCRIPT = 'server.mjs';
const CONNECTIONS = 50;
/** Requests of one connection, one after the other: three thousand of all. */
const EACH = 60;
const STREAMS = 300;
const PER_REQUEST = ['ClientCall', 'HttpReply', 'IncomingMessage', 'ServerResponse'];
/** Some hundred bytes for each request: less than any leaves of which something is kept. */
const HEAP_MARGIN_BYTES = 1024 * 1024;
const START_MS = 20_000;
const GONE_MS = 20_000;
const TEST_MS = 180_000;

let gateway: OwnGateway;
let inspected: Inspected;
/** Speaks all the while over another token. */
let other: KeepAliveClient;
let clients: KeepAliveClient[];

const port = () => Number(new URL(gateway.urlOf(SERVER)).port);
const openFiles = () => readdirSync(`/proc/${gateway.pid}/fd`);
const descriptors = () => openFiles().length;

/** The thread of the history opens its files after the start, which would look like something that a flood left. */
const keepsHistory = () => openFiles().some((fd) => linkOf(fd).endsWith('history.db-shm'));
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/${gateway.pid}/fd/${fd}`);
  } catch {
    // It was closed since the look.
    return '';
  }
}

function probe(answer: (isListening: boolean) => void): void {
  const connection = new RawConnection(port());
  connection.socket.once('connect', () => answer(true)).once('close', () => answer(false));
  connection.socket.once('connect', () => connection.close());
}

/** Begins sessions over some connections, and uses none. Resolves with how often each status came. */
async function flood(token: string): Promise<Record<number, number>> {
  clients = Array.from({ length: CONNECTIONS }, () => new KeepAliveClient(gateway.urlOf(SERVER), token));
  const counts: Record<number, number> = {};
  await Promise.all(
    clients.map(async (client) => {
      for (let count = 0; count < EACH; count += 1) {
        client.sessionId = undefined;
        const status = await client.begin();
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }),
  );
  for (const client of clients.splice(0)) client.close();
  return counts;
}

async function kept() {
  const { ClientSession, ...perRequest } = await inspected.liveObjects(['ClientSession', ...PER_REQUEST]);
  return { sessions: ClientSession!, perRequest, heapBytes: await inspected.liveHeapBytes() };
}

async function untilAllLeft(atRest: number): Promise<void> {
  const describe = `at most ${atRest} open descriptors`;
  await waitUntil(() => descriptors() <= atRest, { deadlineMs: GONE_MS, describe });
}

const otherIsServed = async () => expect(await other.echo('still', 'here')).toContain('"here"');

const inProc = { ...onlyOn('linux', 'it counts descriptors and memory in /proc'), timeout: TEST_MS };

describe('a flood', inProc, () => {
  beforeAll(async () => {
    const options = { clients: 3, nodeArgs: [INSPECTABLE] };
    gateway = await startOwnGateway({ [SERVER]: fixtureServer() }, options);
    inspected = await inspect(gateway);
    clients = [];
    const isListening = () => new Promise((resolve) => probe(resolve));
    await waitUntil(isListening, { deadlineMs: START_MS, describe: 'the gateway listens' });
    await waitUntil(keepsHistory, { deadlineMs: START_MS, describe: 'the history is open' });
    other = new KeepAliveClient(gateway.urlOf(SERVER), gateway.tokens[1]!);
    await other.initialize();
    await other.echo(0, 'up');
  }, START_MS * 2);

  afterAll(async () => {
    for (const client of [other, ...clients]) client.close();
    inspected.close();
    await gateway.dispose();
  });

  it('of requests for a session with a wrong token leaves nothing, and starts nothing', async () => {
    const atRest = descriptors();
    const wrong = `mcpcp_${'A'.repeat(43)}`;
    await flood(wrong);
    await untilAllLeft(atRest);
    const before = await kept();
    expect(await flood(wrong)).toEqual({ 401: CONNECTIONS * EACH });
    await untilAllLeft(atRest);
    const after = await kept();
    expect([after.sessions, after.perRequest]).toEqual([before.sessions, before.perRequest]);
    expect(after.heapBytes).toBeLessThan(before.heapBytes + HEAP_MARGIN_BYTES);
    expect(treeUse(gateway.pid, SCRIPT).servers).toBe(1);
    await otherIsServed();
  });

  it('of requests for a session leaves as many as the client may begin, and one process', async () => {
    const atRest = descriptors();
    const before = await kept();
    const { 200: begun = 0, 429: refused = 0 } = await flood(gateway.token);
    expect([begun + refused, begun]).toEqual([CONNECTIONS * EACH, expect.any(Number)]);
    expect(begun).toBeGreaterThanOrEqual(gatewayLimits.sessions.burst);
    await untilAllLeft(atRest);
    const after = await kept();
    expect(after.sessions).toBe(before.sessions + begun);
    expect(after.perRequest).toEqual(before.perRequest);
    expect(treeUse(gateway.pid, SCRIPT).servers).toBe(1);
    await otherIsServed();
  });

  it('of streams of one session is one stream, and goes with its connections', async () => {
    const token = gateway.tokens[2]!;
    const atRest = descriptors();
    const before = await kept();
    const client = new KeepAliveClient(gateway.urlOf(SERVER), token);
    clients = [client];
    await client.initialize();
    const request = [
      `GET /servers/${SERVER}/mcp HTTP/1.1`,
      `Host: 127.0.0.1:${port()}`,
      `Authorization: Bearer ${token}`,
      `Mcp-Session-Id: ${client.sessionId}`,
    ].join('\r\n');
    const streams = Array.from({ length: STREAMS }, () => new RawConnection(port()));
    for (const stream of streams) stream.send(`${request}\r\n\r\n`);
    // An event stream that was ended has its last chunk.
    const open = () => streams.filter(({ text }) => !text.endsWith('0\r\n\r\n'));
    const isSettled = () => streams.every(({ status }) => status === 200) && open().length === 1;
    await waitUntil(isSettled, { deadlineMs: GONE_MS, describe: 'one stream is open' });
    await otherIsServed();
    for (const stream of streams) stream.close();
    await client.end();
    client.close();
    await untilAllLeft(atRest);
    const { sessions, perRequest } = await kept();
    expect([sessions, perRequest]).toEqual([before.sessions, before.perRequest]);
  });
});
