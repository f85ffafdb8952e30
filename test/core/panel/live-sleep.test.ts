import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, it } from 'vitest';
import type { Clock } from '../../../electron/core/clock.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { waitUntil, referenceServer } from '../../fixtures/fixture-server.ts';
import { connectClient, type ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { isAlive } from '../../support/proc.ts';
import { openTestPanel, type TestPanel } from './open-test-panel.ts';

const SERVER = 'all';
const EVERYTHING = referenceServer('everything', 'stdio');
const SLEEP_AFTER_MS = 60_000;
const SOON = { deadlineMs: 20_000, describe: 'it has happened' };

let test: TestPanel;
let connected: ConnectedClient;
/** Milliseconds by which the panel's clock is ahead of this machine's. */
let aheadMs: number;
const clock: Clock = {
  now: () => systemClock.now() + aheadMs,
  setTimeout: (task, delayMs) => systemClock.setTimeout(task, delayMs),
};

const server = () => test.panel.getSnapshot().servers[0]!;
const kind = () => server().state.kind;
const until = (wanted: string) => waitUntil(() => kind() === wanted, { ...SOON, describe: wanted });
const eventsOf = (...kinds: string[]) =>
  test.panel.getSnapshot().events.filter((event) => kinds.includes(event.kind));
const echo = (message: string) => connected.client.callTool({ name: 'echo', arguments: { message } });

async function connect(): Promise<ConnectedClient> {
  const { token } = await test.panel.gateway.createClient({
    name: `client ${test.panel.gateway.listClients().length}`,
  });
  return connectClient({ url: `${test.panel.gateway.status().url}/servers/${SERVER}/mcp`, token });
}

async function open(panel: object): Promise<void> {
  aheadMs = 0;
  test = await openTestPanel({ [SERVER]: { ...EVERYTHING, panel } }, { clock });
  test.panel.start();
  await waitUntil(() => test.panel.gateway.status().isListening && kind() === 'running', SOON);
  connected = await connect();
  const { client } = connected;
  await waitUntil(async () => (await client.listPrompts()).prompts.length > 0, SOON);
}

afterEach(async () => {
  await connected.close();
  await test.dispose();
});

it('a server that nobody uses sleeps although a client holds a stream, answers lists meanwhile, and is woken by a call', async () => {
  await open({ sleepAfterMs: SLEEP_AFTER_MS });
  const { client } = connected;
  await echo('before');
  const { generation, pid } = server();
  aheadMs += SLEEP_AFTER_MS;
  await until('asleep');
  expect(isAlive(pid!)).toBe(false);
  expect(server().generation).toBe(generation);
  expect(server().asleep?.heldBytes).toBeGreaterThan(1_000_000);
  expect(server().pid ?? server().sample).toBeUndefined();
  expect(eventsOf('slept')).toMatchObject([{ detail: { why: 'idle' } }]);

  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
  await client.ping();
  await (await connect()).close();
  expect([kind(), server().generation]).toEqual(['asleep', generation]);

  const said: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => said.push(message);
  const called = { name: 'echo', arguments: { message: 'awake' } };
  expect(JSON.stringify(await client.callTool(called, undefined, { onprogress }))).toContain('awake');
  expect(said[0]).toBe(`waking ${SERVER}`);
  expect(kind()).toBe('running');
  expect(server().generation).toBe(generation + 1);
  expect(eventsOf('woken')).toMatchObject([{ detail: { by: 'call', generation: generation + 1 } }]);
  expect(eventsOf('stopped', 'restarted', 'crashed')).toEqual([]);
  expect(eventsOf('started')).toHaveLength(1);
});

it('a resource that is read, a subscription and a start wake it, and subscriptions are made again', async () => {
  await open({ sleepAfterMs: SLEEP_AFTER_MS });
  const { client } = connected;
  const updated: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  const [resource] = (await client.listResources()).resources;
  const { uri } = resource!;
  await test.panel.servers.sleep(SERVER);
  expect((await client.readResource({ uri })).contents).toHaveLength(1);
  await test.panel.servers.sleep(SERVER);
  await client.subscribeResource({ uri });
  expect(kind()).toBe('running');
  await test.panel.servers.sleep(SERVER);
  expect(kind()).toBe('asleep');
  await test.panel.servers.start(SERVER);
  // Of what happened during the sleep nothing is known, so the client is told to read it again.
  await waitUntil(() => updated.includes(uri), { ...SOON, describe: 'the subscription is made again' });
  expect(eventsOf('woken').map(({ detail }) => detail)).toMatchObject([
    { by: 'call' },
    { by: 'call' },
    { by: 'command' },
  ]);
});

it('does not sleep during a call, and stays stopped once it was stopped', async () => {
  await open({ sleepAfterMs: SLEEP_AFTER_MS });
  const { client } = connected;
  const long = client.callTool({
    name: 'trigger-long-running-operation',
    arguments: { duration: 2, steps: 2 },
  });
  await waitUntil(() => server().busy?.calls === 1, SOON);
  aheadMs += 2 * SLEEP_AFTER_MS;
  await expect(test.panel.servers.sleep(SERVER)).rejects.toMatchObject({
    code: 'CANNOT_SLEEP',
    data: { why: 'in-use' },
  });
  await long;
  expect([kind(), eventsOf('slept')]).toEqual(['running', []]);
  aheadMs += SLEEP_AFTER_MS;
  await until('asleep');
  await test.panel.servers.stop(SERVER);
  expect(kind()).toBe('stopped');
  await expect(echo('x')).rejects.toThrow('was stopped');
  expect(kind()).toBe('stopped');
  await expect(test.panel.servers.sleep(SERVER)).rejects.toMatchObject({ data: { why: 'not-running' } });
});

it('processes of one client each end with the server, and come again with a call', async () => {
  await open({ sleepAfterMs: SLEEP_AFTER_MS, sessions: { mode: 'exclusive' } });
  await echo('mine');
  const instances = () =>
    test.panel.sessions.view(SERVER).sessions.map(({ instance, pid }) => ({ instance, pid }));
  const [own] = instances();
  expect(own?.instance).toBe(`${SERVER}#2`);
  aheadMs += SLEEP_AFTER_MS;
  await until('asleep');
  await waitUntil(() => !isAlive(own!.pid!), SOON);
  expect(instances()).toEqual([]);
  expect(JSON.stringify(await echo('again'))).toContain('again');
  await until('running');
  expect(instances()).toHaveLength(1);
});

it('loses no call that comes while it falls asleep, and none of many that come together', async () => {
  await open({});
  for (let round = 0; round < 5; round += 1) {
    const sleeping = test.panel.servers.sleep(SERVER).catch(() => undefined);
    const calls = Array.from({ length: 5 }, (_, index) => echo(`${round} ${index}`));
    const said = (await Promise.all(calls)).map((result) => JSON.stringify(result));
    expect(said.every((words, index) => words.includes(`${round} ${index}`))).toBe(true);
    await sleeping;
  }
  expect(eventsOf('slept')).toHaveLength(eventsOf('woken').length);
  expect(eventsOf('crashed', 'start-failed', 'ended')).toEqual([]);
});

it('is woken through the endpoint of all servers and by the window, also where calls start no server', async () => {
  await open({});
  await test.panel.settings.update({ gateway: { startOnDemand: false } });
  const { token } = await test.panel.gateway.createClient({ name: 'all' });
  const all = await connectClient({ url: `${test.panel.gateway.status().url}/mcp`, token });
  await test.panel.servers.sleep(SERVER);
  expect((await all.client.listTools()).tools.map(({ name }) => name)).toContain(`${SERVER}__echo`);
  expect(kind()).toBe('asleep');
  const said: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }) => said.push(message);
  const called = { name: `${SERVER}__echo`, arguments: { message: 'through all' } };
  expect(JSON.stringify(await all.client.callTool(called, undefined, { onprogress }))).toContain(
    'through all',
  );
  expect(said[0]).toBe(`waking ${SERVER}`);
  await all.close();
  await test.panel.servers.sleep(SERVER);
  const params = { name: 'echo', arguments: { message: 'by the window' } };
  await test.panel.sessions.call({ callId: '1', name: SERVER, method: 'tools/call', params });
  expect(eventsOf('woken')).toHaveLength(2);
});
