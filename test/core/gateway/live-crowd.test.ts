import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpReply } from '../../../electron/core/gateway/http/reply.ts';
import { ServerAccess } from '../../../electron/core/gateway/session/access.ts';
import { ClientCall } from '../../../electron/core/gateway/session/call.ts';
import { ClientSession } from '../../../electron/core/gateway/session/client-session.ts';
import { Lease } from '../../../electron/core/sessions/lease.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { inspect, INSPECTABLE, type Inspected } from '../../fixtures/gateways/inspected.ts';
import { startOwnGateway, type OwnGateway } from '../../fixtures/gateways/own-gateway.ts';
import { treeUse } from '../../fixtures/gateways/process-tree.ts';
import { KeepAliveClient } from './keep-alive-client.ts';
import { onlyOn } from '../../support/skip-on.ts';

const CLIENTS = 100;
const CALLS = 100;
const WARM_UP_CALLS = 25;
/** The clients share a few tokens: those of one token are strangers to each other, too. */
const TOKENS = 4;
const SERVER = 'one';
const SCRIPT = 'server.mjs';
/** What there is of a client, a call or a connection while it lasts. */
const PER_CLIENT = [
  ...[ClientSession, ServerAccess, Lease, ClientCall, HttpReply].map(({ name }) => name),
  'IncomingMessage',
  'ServerResponse',
];
/** About a hundred bytes for each call: less than any call leaves of which something is kept. */
const HEAP_MARGIN_BYTES = 1024 * 1024;
const START_MS = 20_000;
const GONE_MS = 20_000;
/** Ten thousand calls, on two cores that others use, too. */
const TEST_MS = 180_000;

let gateway: OwnGateway | undefined;
let inspected: Inspected | undefined;
let clients: KeepAliveClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  inspected?.close();
  await gateway?.dispose();
});

/** Connects all of them, has each of them call one after the other, all at once, and ends their sessions. */
async function visit({ tokens, urlOf }: OwnGateway, calls: number): Promise<string[]> {
  clients = Array.from(
    { length: CLIENTS },
    (_, who) => new KeepAliveClient(urlOf(SERVER), tokens[who % tokens.length]!),
  );
  await Promise.all(clients.map((client) => client.initialize()));
  const wrong = await Promise.all(clients.map((client, who) => wrongAnswers(client, who, calls)));
  const ended = await Promise.all(clients.map((client) => client.end()));
  expect(ended.filter((status) => status !== 204)).toEqual([]);
  for (const client of clients.splice(0)) client.close();
  return wrong.flat();
}

/** All clients use the same ids. */
async function wrongAnswers(client: KeepAliveClient, who: number, calls: number): Promise<string[]> {
  const wrong: string[] = [];
  for (let id = 1; id <= calls; id += 1) {
    const text = `${who}/${id}`;
    const answer = await client.echo(id, text);
    const result = { content: [{ type: 'text', text }] };
    if (answer !== JSON.stringify({ jsonrpc: '2.0', id, result })) wrong.push(`${text}: ${answer}`);
  }
  return wrong;
}

/** Nobody is refused any more for want of a listener. */
const untilListening = ({ urlOf }: OwnGateway) =>
  waitUntil(
    () =>
      fetch(urlOf(SERVER), { headers: { Connection: 'close' } }).then(
        ({ status }) => status === 401,
        () => false,
      ),
    {
      deadlineMs: START_MS,
      describe: 'the gateway listens',
    },
  );

/** Its database is open for good: the panel writes to it first when it has something to write. */
const untilHistoryOpen = ({ home }: OwnGateway) =>
  waitUntil(() => existsSync(join(home, 'history.db-shm')), {
    deadlineMs: START_MS,
    describe: 'the history is open',
  });

/** Descriptors of the gateway once its server is up, without those of a client. */
async function descriptorsAtRest({ pid, urlOf, token }: OwnGateway): Promise<number> {
  const client = new KeepAliveClient(urlOf(SERVER), token);
  clients.push(client);
  await client.initialize();
  await client.echo(1, 'up');
  const withClient = descriptors(pid);
  await client.end();
  client.close();
  return withClient - 1;
}

const descriptors = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

const inProc = onlyOn('linux', 'it counts descriptors and memory in /proc');

describe('a hundred clients that call a hundred times each', inProc, () => {
  it(
    'are each answered with their own answer by one process, and leave no memory and no descriptor behind',
    { timeout: TEST_MS },
    async () => {
      gateway = await startOwnGateway(
        // On a machine at work an answer may be late enough for a further process.
        { [SERVER]: { ...fixtureServer(), panel: { sessions: { mode: 'shared' } } } },
        { clients: TOKENS, nodeArgs: [INSPECTABLE] },
      );
      const { pid } = gateway;
      inspected = await inspect(gateway);
      await untilListening(gateway);
      await untilHistoryOpen(gateway);
      const atRest = await descriptorsAtRest(gateway);
      const untilAllLeft = () =>
        waitUntil(() => descriptors(pid) <= atRest, {
          deadlineMs: GONE_MS,
          describe: `at most ${atRest} open descriptors`,
        });
      // The first round fills what is kept for good: compiled code, caches, records of bounded size.
      expect(await visit(gateway, WARM_UP_CALLS)).toEqual([]);
      await untilAllLeft();
      const before = {
        objects: await inspected.liveObjects(PER_CLIENT),
        heapBytes: await inspected.liveHeapBytes(),
      };
      expect(await visit(gateway, CALLS)).toEqual([]);
      expect(treeUse(pid, SCRIPT).servers).toBe(1);
      await untilAllLeft();
      expect(await inspected.liveObjects(PER_CLIENT)).toEqual(before.objects);
      expect(await inspected.liveHeapBytes()).toBeLessThan(before.heapBytes + HEAP_MARGIN_BYTES);
    },
  );
});
