import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, it } from 'vitest';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { connectClient, type ConnectedClient } from '../../fixtures/gateways/connect-client.ts';
import { openLiveGateway, recording, SERVER, type LiveGateway } from './live-gateway.ts';

/** Longer than any of these tests takes: such a call never ends by itself. */
const HELD_MS = 60_000;
/** Long enough to be taken for a wait. */
const BUSY_MS = 300;
/** On a slow machine some of the rounds teach nothing. */
const MOST_ROUNDS = 20;
const ENOUGH_ROUNDS = 6;
const LIMIT = { deadlineMs: 10_000, describe: 'the server has the call' };

const gateways: LiveGateway[] = [];
const clients: ConnectedClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map(({ close }) => close()));
  await Promise.all(gateways.splice(0).map((gateway) => gateway.dispose()));
});

async function open(settings: object, ...flags: string[]) {
  const gateway = await openLiveGateway(
    (records) => fixtureServer(...recording(records), ...flags),
    settings,
  );
  gateways.push(gateway);
  const endpoints = await gateway.endpoints(2);
  const connected = await Promise.all(endpoints.map((endpoint) => connectClient(endpoint)));
  clients.push(...connected);
  return { gateway, ana: connected[0]!, ben: connected[1]! };
}

const callsOf = (gateway: LiveGateway, tool: string) =>
  gateway.received().filter(({ method, params }) => method === 'tools/call' && params?.['name'] === tool);

/** Resolves when the server has the call; its end is another promise. */
async function sleep(gateway: LiveGateway, { client }: ConnectedClient, ms: number) {
  const before = callsOf(gateway, 'sleep').length;
  const giveUp = new AbortController();
  const params = { name: 'sleep', arguments: { ms } };
  let isOver = false;
  const over = client
    .callTool(params, undefined, { timeout: HELD_MS, signal: giveUp.signal })
    .catch(() => undefined)
    .finally(() => (isOver = true));
  await waitUntil(() => callsOf(gateway, 'sleep').length > before, LIMIT);
  return { over, giveUp: () => giveUp.abort(), isOver: () => isOver };
}

async function pidFor({ client }: ConnectedClient): Promise<number> {
  const { content } = (await client.callTool({ name: 'pid', arguments: {} })) as CallToolResult;
  const [first] = content;
  return (JSON.parse(first?.type === 'text' ? first.text : '{}') as { pid: number }).pid;
}

const sessions = ({ panel }: LiveGateway) => panel.sessions.view(SERVER);

/** Ben calls while Ana's call is under way, until that has taught something or should have. Returns how often. */
async function meet({ gateway, ana, ben }: Awaited<ReturnType<typeof open>>, most: number): Promise<number> {
  let rounds = 0;
  while (rounds < most && sessions(gateway).sharing.hasSpares !== true) {
    rounds += 1;
    const { over } = await sleep(gateway, ana, BUSY_MS);
    await pidFor(ben);
    await over;
  }
  return rounds;
}

describe('a server that answers one call at a time', () => {
  it('gets a further process once that was seen, so that no client waits for another one', async () => {
    const bench = await open({}, '--serial');
    const { gateway, ana, ben } = bench;
    const rounds = await meet(bench, MOST_ROUNDS);
    expect(sessions(gateway).sharing).toMatchObject({ mode: 'shared', reason: 'learnt', hasSpares: true });
    expect(gateway.starts()).toHaveLength(1);
    const held = await sleep(gateway, ana, HELD_MS);
    const pid = await pidFor(ben);
    expect(held.isOver()).toBe(false);
    expect(gateway.starts()).toHaveLength(2);
    expect(pid).toBe(gateway.starts()[1]);
    expect(sessions(gateway).sessions.map(({ isSpare, mode }) => ({ isSpare, mode }))).toEqual([
      { mode: 'shared' },
      { isSpare: true, mode: 'shared' },
    ]);
    held.giveUp();
    await held.over;
    expect([await pidFor(ben), await pidFor(ana)]).toEqual([pid, gateway.starts()[0]]);
    expect(callsOf(gateway, 'pid')).toHaveLength(rounds + 3);
  });

  it('stays one process where no more are allowed: the call waits in its line', async () => {
    const bench = await open({ sessions: { maxSessions: 1 } }, '--serial');
    const { gateway, ana, ben } = bench;
    const rounds = await meet(bench, MOST_ROUNDS);
    expect(sessions(gateway).sharing).toMatchObject({ hasSpares: true });
    const held = await sleep(gateway, ana, HELD_MS);
    const answered = pidFor(ben);
    await waitUntil(() => callsOf(gateway, 'pid').length === rounds + 1, LIMIT);
    held.giveUp();
    expect(await answered).toBe(gateway.starts()[0]);
    expect(gateway.starts()).toHaveLength(1);
  });

  it('stays one process where the person shares it', async () => {
    const bench = await open({ sessions: { mode: 'shared' } }, '--serial');
    const rounds = await meet(bench, ENOUGH_ROUNDS);
    expect(sessions(bench.gateway).sharing).toEqual({
      mode: 'shared',
      setting: 'shared',
      reason: 'setting',
      words: expect.any(String) as string,
    });
    const held = await sleep(bench.gateway, bench.ana, HELD_MS);
    const answered = pidFor(bench.ben);
    await waitUntil(() => callsOf(bench.gateway, 'pid').length === rounds + 1, LIMIT);
    held.giveUp();
    expect(await answered).toBe(bench.gateway.starts()[0]);
  });
});

describe('a server that answers calls as they are done', () => {
  it('never gets a further process', async () => {
    const bench = await open({});
    const { gateway, ana, ben } = bench;
    await meet(bench, ENOUGH_ROUNDS);
    expect(sessions(gateway).sharing).not.toHaveProperty('hasSpares');
    const held = await sleep(gateway, ana, HELD_MS);
    expect(await pidFor(ben)).toBe(gateway.starts()[0]);
    expect(held.isOver()).toBe(false);
    held.giveUp();
    expect(gateway.starts()).toHaveLength(1);
  });
});
