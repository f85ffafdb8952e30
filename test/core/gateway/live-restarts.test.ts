import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { BusyClients } from './busy-clients.ts';
import { openLiveGateway, recording, SERVER, type LiveGateway } from './live-gateway.ts';

const CLIENTS = 20;
const LIMIT = { deadlineMs: 15_000, describe: 'the next start' };
const IN_FLIGHT_CODE = -32603;
const SETTINGS = {
  stopGraceMs: 500,
  killGraceMs: 500,
  health: { probeIntervalMs: 250, stallThresholdMs: 1000 },
  restart: { initialBackoffMs: 50, maxBackoffMs: 100, stableAfterMs: 1, maxPerHour: 100 },
};

let gateway: LiveGateway;
let clients: BusyClients;

beforeEach(async () => {
  gateway = await openLiveGateway((records) => fixtureServer(...recording(records)), SETTINGS);
  const endpoints = await Promise.all([gateway.endpoint(), gateway.endpoint()]);
  clients = await BusyClients.connect(CLIENTS, async (index) => endpoints[index % endpoints.length]!);
  await clients.untilEachAnswered(2);
});

afterEach(async () => {
  await clients.stop();
  await gateway.dispose();
});

const stateKind = () => gateway.panel.getSnapshot().servers.find(({ name }) => name === SERVER)?.state.kind;

/** The server's process is another one, over which all clients go on; what failed in between says why. */
async function expectToGoOn(): Promise<void> {
  await waitUntil(() => gateway.starts().length === 2, LIMIT);
  await clients.untilEachAnswered(2);
  expect(gateway.starts()).toHaveLength(2);
  expect(clients.faults()).toEqual([]);
  for (const { code, data } of clients.failures) {
    expect(code).toBe(IN_FLIGHT_CODE);
    expect(data).toMatchObject({ server: SERVER });
    expect(data?.code).toMatch(/^[A-Z_]+$/);
  }
}

describe.runIf(process.platform !== 'win32')('clients at work while their server', () => {
  it('is killed go on in the same session over its next process', async () => {
    process.kill(gateway.starts().at(-1)!, 'SIGKILL');
    await expectToGoOn();
  });

  it('is frozen are told of the stall, and go on in the same session', async () => {
    process.kill(gateway.starts().at(-1)!, 'SIGSTOP');
    await expectToGoOn();
    expect(clients.failures.some(({ data }) => data?.code === 'STALLED')).toBe(true);
  });

  it('is restarted by hand go on in the same session', async () => {
    await gateway.panel.servers.restart(SERVER);
    await expectToGoOn();
  });

  it('is stopped by hand are refused, do not start it again, and go on once a person does', async () => {
    await gateway.panel.servers.stop(SERVER);
    await clients.untilEachFailed(({ data }) => data?.code === 'STOPPED');
    await clients.untilEachFailed(({ data }) => data?.code === 'STOPPED');
    expect(stateKind()).toBe('stopped');
    expect(gateway.starts()).toHaveLength(1);
    await gateway.panel.servers.start(SERVER);
    await expectToGoOn();
  });
});
