import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import type { SpareRule } from '../../../../electron/core/gateway/relay/client-capabilities.ts';
import { SPARE_AFTER_MS } from '../../../../electron/core/gateway/relay/spare-step.ts';
import { tinyServer } from '../../../fixtures/fixture-server.ts';
import { createFakeSupervision, type FakeServer } from '../../sessions/fake-supervised.ts';
import { stdio } from '../../sessions/live-sessions-bench.ts';
import { createClients, type TestClient } from '../edge/edge-bench.ts';

const CAN_BE_ASKED = { capabilities: { elicitation: {} } };

/** Clients of a server that answers in turn, whose further processes start when the test says so. */
async function bench(settings: { maxSessions?: number; areParked?: boolean } = {}) {
  const { maxSessions = 10, areParked = true } = settings;
  const config = stdio(tinyServer(), { sessions: { mode: 'auto', maxSessions, idleTimeoutMs: 400_000 } });
  const supervision = createFakeSupervision(config, areParked);
  const { server, clock } = supervision;
  const rule: { current: SpareRule | undefined } = { current: { reserve: 0 } };
  const { newClient } = createClients({
    ...supervision,
    wallClock: clock,
    servers: {
      find: () => ({ config: server.config, state: server.stateKind, wasStopped: server.wasStopped }),
    },
    sparesOf: () => rule.current,
  });
  await server.start();
  const settle = () => clock.advance(0);
  const join = async (name: string) => {
    const client = newClient(name);
    client.initialize(CAN_BE_ASKED);
    await settle();
    return client;
  };
  return { ...supervision, rule, settle, join };
}

/** Everything that is asked of the server waits until the function that is returned is called. */
function occupy({ connection }: FakeServer): () => void {
  const answer = createDeferred<Record<string, unknown>>();
  connection!.answer = answer.promise;
  return () => {
    connection!.answer = Promise.resolve({});
    answer.resolve({});
  };
}

const calls = ({ connection }: FakeServer) =>
  connection!.asked.filter((method) => method === 'tools/call').length;

/** Ana's call is under way, and Ben has called. */
async function waiting(settings?: Parameters<typeof bench>[0]) {
  const opened = await bench(settings);
  const [ana, ben] = [await opened.join('ana'), await opened.join('ben')];
  const free = occupy(opened.server);
  ana.tool(1, 'long');
  const reply = ben.tool(1, 'short');
  await opened.settle();
  return { ...opened, ana, ben, free, reply };
}

const call = async (client: TestClient, id: number, settle: () => Promise<void>) => {
  const reply = client.tool(id, 'short');
  await settle();
  return reply;
};

describe("a call that would wait for another client's, on a server that answers in turn,", () => {
  it('is not written there, and starts a process only after it has waited', async () => {
    const { clock, server, instances, reply } = await waiting();
    expect(calls(server)).toBe(1);
    await clock.advance(SPARE_AFTER_MS - 1);
    expect(instances).toHaveLength(0);
    await clock.advance(1);
    expect(instances).toHaveLength(1);
    expect(instances[0]!.clientCapabilities).toBeUndefined();
    expect(calls(server)).toBe(1);
    instances[0]!.becomeReady();
    await clock.advance(0);
    expect(reply.answer).toMatchObject({ id: 1, result: {} });
    expect([calls(server), calls(instances[0]!)]).toEqual([1, 1]);
  });

  it('is written there once that is free, and only there', async () => {
    const { clock, server, instances, reply, free, settle } = await waiting();
    free();
    await settle();
    expect(reply.answer).toMatchObject({ result: {} });
    expect(calls(server)).toBe(2);
    await clock.advance(SPARE_AFTER_MS);
    expect(instances).toHaveLength(0);
  });

  it('goes where it can first; a process that came too late serves the next call', async () => {
    const { clock, server, instances, reply, free, settle, ben } = await waiting();
    await clock.advance(SPARE_AFTER_MS);
    free();
    await settle();
    expect(reply.answer).toMatchObject({ result: {} });
    expect(calls(server)).toBe(2);
    instances[0]!.becomeReady();
    await settle();
    await call(ben, 2, settle);
    expect([calls(server), calls(instances[0]!)]).toEqual([2, 1]);
  });

  it('is written behind the other where there is room for no process', async () => {
    const { server, instances, clock } = await waiting({ maxSessions: 1 });
    expect(calls(server)).toBe(2);
    await clock.advance(SPARE_AFTER_MS);
    expect(instances).toHaveLength(0);
  });

  it('is written behind the other when the process does not start, and none is tried for a minute', async () => {
    const { clock, server, instances, ben, settle } = await waiting();
    await clock.advance(SPARE_AFTER_MS);
    instances[0]!.failToStart(new PanelError('START_FAILED', 'no'));
    await settle();
    expect(calls(server)).toBe(2);
    await call(ben, 2, settle);
    await clock.advance(SPARE_AFTER_MS);
    expect(calls(server)).toBe(3);
    expect(instances).toHaveLength(1);
    await clock.advance(60_000);
    ben.tool(3, 'short');
    await clock.advance(SPARE_AFTER_MS);
    expect(instances).toHaveLength(2);
  });

  it('that its client gives up leaves nothing behind', async () => {
    const { clock, server, ben, reply, settle, free } = await waiting();
    ben.post({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await settle();
    expect(reply.isOpen).toBe(false);
    free();
    await clock.advance(SPARE_AFTER_MS);
    expect(calls(server)).toBe(1);
    expect((await call(ben, 2, settle)).answer).toMatchObject({ result: {} });
  });

  it('is held for one turn at a time: of two that wait, one is written', async () => {
    const { server, join, free, settle } = await waiting();
    const cleo = await join('cleo');
    cleo.tool(1, 'short');
    await settle();
    free();
    const freeAgain = occupy(server);
    await settle();
    expect(calls(server)).toBe(2);
    freeAgain();
    await settle();
    expect(calls(server)).toBe(3);
  });

  it('gets a process of its own while another one is starting', async () => {
    const { clock, instances, join } = await waiting();
    const cleo = await join('cleo');
    await clock.advance(SPARE_AFTER_MS / 2);
    cleo.tool(1, 'short');
    await clock.advance(SPARE_AFTER_MS);
    expect(instances.map(({ name }) => name)).toEqual(['one#2', 'one#3']);
  });

  it('waits for nobody where the server does not answer in turn', async () => {
    const { server, rule, ben, settle } = await waiting();
    rule.current = undefined;
    await call(ben, 2, settle);
    expect(calls(server)).toBe(2);
  });
});

describe('a session that has moved to a further process', () => {
  async function moved() {
    const opened = await waiting({ areParked: false });
    const { ben, clock, settle, free, instances } = opened;
    await clock.advance(SPARE_AFTER_MS);
    free();
    await settle();
    return { ...opened, spare: instances[0]!, ben };
  }

  it('stays there, also while the server has nothing to do', async () => {
    const { ben, server, spare, settle } = await moved();
    await call(ben, 2, settle);
    await call(ben, 3, settle);
    expect([calls(server), calls(spare)]).toEqual([1, 3]);
  });

  it('is asked there what its call needs, and takes its subscriptions along', async () => {
    const { ben, server, spare, settle, ana, clock, instances, join } = await moved();
    const cleo = await join('cleo');
    cleo.request(1, 'resources/subscribe', { uri: 'file:///a' });
    await settle();
    const free = occupy(server);
    ana.tool(2, 'long');
    cleo.tool(2, 'short');
    await clock.advance(SPARE_AFTER_MS);
    const third = instances[1]!;
    expect(third.connection!.asked).toEqual(['tools/call', 'resources/subscribe']);
    free();
    await settle();
    expect(server.connection!.asked.at(-1)).toBe('resources/unsubscribe');
    const freeSpare = occupy(spare);
    const reply = ben.tool(4, 'asks');
    await settle();
    const asking = spare.connection!.owner!(
      { id: 1, method: 'elicitation/create', params: { message: 'Which?' } },
      new AbortController().signal,
    );
    const { id, method } = reply.streamed[0] as { id: string; method: string };
    expect(method).toBe('elicitation/create');
    ben.post({ id, result: { action: 'decline' } });
    expect(await asking).toEqual({ action: 'decline' });
    freeSpare();
    await settle();
  });

  it('comes back when that process ends, and may have another one', async () => {
    const { ben, server, spare, settle, clock, instances, ana } = await moved();
    spare.crash();
    await settle();
    await call(ben, 2, settle);
    expect(calls(server)).toBe(2);
    occupy(server);
    ana.tool(2, 'long');
    ben.tool(3, 'short');
    await clock.advance(SPARE_AFTER_MS);
    expect(instances.map(({ name }) => name)).toEqual(['one#2', 'one#2']);
  });

  it('comes back when the person wants the server shared', async () => {
    const { ben, rule, server, settle } = await moved();
    rule.current = undefined;
    await call(ben, 2, settle);
    expect(calls(server)).toBe(2);
  });

  it('shares it with the next one where there is room for no other', async () => {
    const { join, ana, server, spare, settle, instances } = await withTwo();
    const cleo = await join('cleo');
    occupy(server);
    ana.tool(2, 'long');
    expect((await call(cleo, 1, settle)).answer).toMatchObject({ result: {} });
    expect(calls(spare)).toBe(2);
    expect(instances).toHaveLength(1);
  });

  it('waits there for who shares it, also when there is room for another', async () => {
    const { join, ana, ben, server, spare, settle, instances, clock, configure } = await withTwo();
    const cleo = await join('cleo');
    const free = occupy(server);
    ana.tool(2, 'long');
    await call(cleo, 1, settle);
    free();
    const { panel } = server.config;
    configure({ ...server.config, panel: { ...panel, sessions: { ...panel.sessions, maxSessions: 10 } } });
    occupy(spare);
    ben.tool(2, 'long');
    cleo.tool(2, 'short');
    await clock.advance(SPARE_AFTER_MS);
    expect(calls(spare)).toBe(4);
    expect(instances).toHaveLength(1);
  });

  it('subscribes again where it was before, as soon as its process has ended', async () => {
    const { join, ana, ben, server, spare, settle } = await withTwo();
    const cleo = await join('cleo');
    const free = occupy(server);
    ana.tool(2, 'long');
    await call(cleo, 1, settle);
    free();
    ben.request(2, 'resources/subscribe', { uri: 'file:///a' });
    cleo.request(2, 'resources/subscribe', { uri: 'file:///b' });
    await settle();
    const subscribed = ({ connection }: FakeServer) =>
      connection!.asked.filter((method) => method === 'resources/subscribe').length;
    expect([subscribed(spare), subscribed(server)]).toEqual([2, 0]);
    spare.crash();
    await settle();
    expect(subscribed(server)).toBe(2);
  });

  it('leaves it idle when it ends, to be closed by the idle time of the server or used at once by another', async () => {
    const { ben, clock, server, spare, settle, ana, join, instances } = await moved();
    ben.end();
    const cleo = await join('cleo');
    occupy(server);
    ana.tool(2, 'long');
    expect((await call(cleo, 1, settle)).answer).toMatchObject({ result: {} });
    expect(instances).toHaveLength(1);
    cleo.end();
    await clock.advance(460_000);
    expect(spare.stateKind).toBe('stopped');
  });

  async function withTwo() {
    const opened = await waiting({ maxSessions: 2, areParked: false });
    await opened.clock.advance(SPARE_AFTER_MS);
    opened.free();
    await opened.settle();
    return { ...opened, spare: opened.instances[0]! };
  }
});
