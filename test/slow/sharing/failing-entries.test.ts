import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, it } from 'vitest';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { openTestPanel, type TestPanel } from '../../core/panel/open-test-panel.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';

const PROGRAM = fileURLToPath(new URL('../../fixtures/servers/stateful.mjs', import.meta.url));
const CLIENTS = 5;
const ENTRIES = 25;
/** As on a machine of two cores. */
const START_CONCURRENCY = 3;
const MORE_THAN_OWN_START_MS = 2000;
const REQUEST_TIMEOUT_MS = 60_000;
/** By then the first entries have failed, and are tried again. */
const LATER_MS = 12_000;

let opened: TestPanel | undefined;
afterEach(async () => {
  await opened?.dispose();
  opened = undefined;
});

const node = (script: string) => ({ command: process.execPath, args: ['-e', script] });
const failing = node('process.stdin.resume(); setTimeout(() => process.exit(1), 5000)');
const hanging = node('process.stdin.resume()');

async function open(entry: object | undefined): Promise<TestPanel> {
  const exclusive = {
    command: process.execPath,
    args: [PROGRAM],
    panel: { sessions: { mode: 'exclusive' } },
  };
  const names = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
  const servers = new Map<string, object>(entry && names(ENTRIES, 'bad').map((name) => [name, entry]));
  for (const name of names(CLIENTS, 'good')) servers.set(name, exclusive);
  opened = await openTestPanel(Object.fromEntries(servers), { startConcurrency: START_CONCURRENCY });
  const { panel } = opened;
  panel.start();
  await waitUntil(() => panel.gateway.status().port !== 0, {
    deadlineMs: 10_000,
    describe: 'the gateway listens',
  });
  return opened;
}

/** Time until the slowest of five clients, one for each exclusive server, has its first answer. */
async function slowestFirstAnswerMs({ panel }: TestPanel): Promise<number> {
  const { url } = panel.gateway.status();
  const { token } = await panel.gateway.createClient({ name: `wave at ${performance.now()}` });
  const first = async (at: number) => {
    const beganAtMs = performance.now();
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StreamableHTTPClientTransport(new URL(serverAddress(url, `good${at}`)), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    });
    const timeout = { timeout: REQUEST_TIMEOUT_MS };
    await client.connect(transport, timeout);
    await client.callTool({ name: 'items', arguments: {} }, undefined, timeout);
    const tookMs = performance.now() - beganAtMs;
    await client.close();
    return tookMs;
  };
  return Math.max(...(await Promise.all(Array.from({ length: CLIENTS }, (_, at) => first(at)))));
}

it.each([
  ['fail after 5 s', failing],
  ['hang in their handshake', hanging],
])(
  'clients of five exclusive servers have their first answers within the own start of the servers and 2 s, beside 25 entries that %s',
  async (_, entry) => {
    const ownStartMs = await slowestFirstAnswerMs(await open(undefined));
    await opened!.dispose();
    const panel = await open(entry);
    const atStartMs = await slowestFirstAnswerMs(panel);
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    const laterMs = await slowestFirstAnswerMs(panel);
    expect(atStartMs).toBeLessThan(ownStartMs + MORE_THAN_OWN_START_MS);
    expect(laterMs).toBeLessThan(ownStartMs + MORE_THAN_OWN_START_MS);
  },
);
