import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import type { Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { BusyClients } from './busy-clients.ts';
import { skipOn } from '../../support/skip-on.ts';
import { connectTo, openLiveGateway, recording, SERVER, type LiveGateway } from './live-gateway.ts';
import { freezeProcess } from '../../fixtures/process-signals.ts';

const CLIENTS = 20;
const LIMIT = { deadlineMs: 15_000, describe: 'the next start' };
const IN_FLIGHT_CODE = -32603;
const SETTINGS = {
  stopGraceMs: 500,
  killGraceMs: 500,
  health: { probeIntervalMs: 250, stallThresholdMs: 1000 },
  restart: { initialBackoffMs: 50, maxBackoffMs: 100, stableAfterMs: 1, maxPerHour: 100 },
};

/** Longer than any of these tests takes: it never ends by itself. */
const HELD_MS = 60_000;
const HELD = { deadlineMs: 10_000, describe: 'the server has the call that is held' };

let gateway: LiveGateway;
let clients: BusyClients;
/** A call that the server is busy with when it happens. */
let held: Promise<unknown>;

beforeEach(async () => {
  gateway = await openLiveGateway((records) => fixtureServer(...recording(records)), SETTINGS);
  const endpoints = await gateway.endpoints(2);
  clients = await BusyClients.connect(CLIENTS, async (index) => endpoints[index % endpoints.length]!);
  onTestFinished(() => clients.stop());
  await holdCall(endpoints[0]!);
  await clients.untilEachAnswered(2);
});

const stateKind = () => gateway.panel.getSnapshot().servers.find(({ name }) => name === SERVER)?.state.kind;

async function holdCall(endpoint: Endpoint): Promise<void> {
  const { client } = await connectTo(endpoint);
  const params = { name: 'sleep', arguments: { ms: HELD_MS } };
  held = client.callTool(params, undefined, { timeout: HELD_MS }).catch((error: unknown) => error);
  await waitUntil(() => heldCalls().length > 0, HELD);
}

/** How often any process of the server was sent the call that is held. */
const heldCalls = () => gateway.received().filter(({ params }) => params?.['name'] === 'sleep');

/**
 * The server's process is another one, over which all clients go on. The call that was held has failed with this cause and
 * was not repeated; what else failed in between says why, too.
 */
async function expectToGoOn(cause: RegExp): Promise<void> {
  await waitUntil(() => gateway.starts().length === 2, LIMIT);
  await clients.untilEachAnswered(2);
  expect(gateway.starts()).toHaveLength(2);
  expect(await held).toMatchObject({
    code: IN_FLIGHT_CODE,
    data: { server: SERVER, code: expect.stringMatching(cause) as string },
  });
  expect(heldCalls()).toHaveLength(1);
  expect(clients.faults()).toEqual([]);
  for (const { code, data } of clients.failures) {
    expect(code).toBe(IN_FLIGHT_CODE);
    expect(data).toMatchObject({ server: SERVER });
    expect(data?.code).toMatch(/^[A-Z_]+$/);
  }
}

describe('clients at work while their server', () => {
  it('is killed go on in the same session over its next process', async () => {
    process.kill(gateway.starts().at(-1)!, 'SIGKILL');
    await expectToGoOn(/^CRASHED$/);
  });

  const told = skipOn('win32', 'Windows tells of no frozen process, so a call that is held decides');
  it('is frozen are told of the stall, and go on in the same session', told, async () => {
    freezeProcess(gateway.starts().at(-1)!);
    await expectToGoOn(/^STALLED$/);
  });

  it('is restarted by hand go on in the same session', async () => {
    await gateway.panel.servers.restart(SERVER);
    await expectToGoOn(/^STOPPED$/);
  });

  it('is stopped by hand are refused, do not start it again, and go on once a person does', async () => {
    await gateway.panel.servers.stop(SERVER);
    await clients.untilEachFailed(({ data }) => data?.code === 'STOPPED');
    await clients.untilEachFailed(({ data }) => data?.code === 'STOPPED');
    expect(stateKind()).toBe('stopped');
    expect(gateway.starts()).toHaveLength(1);
    await gateway.panel.servers.start(SERVER);
    await expectToGoOn(/^STOPPED$/);
  });
});
