import { fileURLToPath } from 'node:url';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../fixtures/gateways/connect-client.ts';
import { openLiveGateway, SERVER, type LiveGateway } from '../../core/gateway/live-gateway.ts';

const PROGRAM = fileURLToPath(new URL('../../fixtures/servers/stateful.mjs', import.meta.url));
const CLIENTS = 6;
const CALLS = 20;
/** So many rounds are long enough for a person to notice; the others are many. */
const LONG_ROUNDS = 4;
/** A client's cancellation is on its way for less than that, on a busy machine too. */
const CANCEL_MS = 400;

let gateway: LiveGateway;

const open = async (panel: object) =>
  (gateway = await openLiveGateway(
    ({ startLog }) => ({ command: process.execPath, args: [PROGRAM, `--start-log=${startLog}`] }),
    panel,
  ));

interface Answer {
  readonly pid: number;
  readonly items: readonly string[];
  readonly begunAt: readonly number[];
}

interface User {
  call(name: string, args?: object, timeoutMs?: number): Promise<Answer>;
  close(endsSession: boolean): Promise<void>;
}

/** A client of the SDK; without `listens` it opens no stream of its own, as some clients do. */
async function connect({ url, token }: Endpoint, listens: boolean): Promise<User> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const noStream: typeof fetch = (input, init) =>
    init?.method === 'GET' ? Promise.resolve(new Response(null, { status: 405 })) : fetch(input, init);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(!listens && { fetch: noStream }),
  });
  // The SDK's declaration of its own transport does not match that of its client under exact optional types.
  await client.connect(transport);
  return {
    call: async (name, args = {}, timeoutMs = 120_000) => {
      const params = { name, arguments: { ...args } };
      const { content } = (await client.callTool(params, undefined, {
        timeout: timeoutMs,
      })) as CallToolResult;
      const [first] = content;
      return JSON.parse(first?.type === 'text' ? first.text : '{}') as Answer;
    },
    close: async (endsSession) => {
      if (endsSession) await transport.terminateSession();
      await client.close();
    },
  };
}

/** Every client does all its work; returns how many of the calls were answered. */
async function answered(work: (who: number) => Promise<number>): Promise<number> {
  const counts = await Promise.all(Array.from({ length: CLIENTS }, (_, who) => work(who)));
  return counts.reduce((sum, count) => sum + count, 0);
}

describe('six clients of an exclusive server with three places', () => {
  const exclusive = (maxSessions: number) => ({ sessions: { mode: 'exclusive', maxSessions } });

  it.each([
    ['that end their sessions', true],
    ['that just go', false],
  ])(
    '%s are answered 120 times of 120',
    async (_, endsSession) => {
      await open(exclusive(3));
      const endpoints = await gateway.endpoints(CLIENTS);
      const total = await answered(async (who) => {
        let count = 0;
        for (let round = 0; round < CALLS; round += 1) {
          const user = await connect(endpoints[who]!, false);
          await user.call('store', { item: `${who}`, ms: 5 });
          count += 1;
          await user.close(endsSession);
        }
        return count;
      });
      expect(total).toBe(CLIENTS * CALLS);
    },
    120_000,
  );

  it('that keep their streams open are answered 120 times of 120 where there are places for them, each by one process', async () => {
    await open(exclusive(CLIENTS));
    const endpoints = await gateway.endpoints(CLIENTS);
    const total = await answered(async (who) => {
      const user = await connect(endpoints[who]!, true);
      let answer: Answer | undefined;
      for (let round = 0; round < CALLS; round += 1) answer = await user.call('store', { item: `${who}` });
      await user.close(false);
      return new Set(answer?.items).size === 1 ? (answer?.items.length ?? 0) : 0;
    });
    expect(total).toBe(CLIENTS * CALLS);
  }, 120_000);

  it('that keep their streams open leave no place: the fourth is told at once whose is idle, and who came first goes on', async () => {
    await open(exclusive(3));
    const endpoints = await gateway.endpoints(4);
    const users = await Promise.all(endpoints.slice(0, 3).map((endpoint) => connect(endpoint, true)));
    for (const user of users) await user.call('store', { item: 'kept' });
    const late = connect(endpoints[3]!, true).then((user) => user.call('items'));
    const error: unknown = await late.catch((reason: unknown) => reason);
    expect(String((error as Error).message)).toMatch(
      /3 of 3 processes of "one" in use, idle longest: client \d, \d+ s: raise maxSessions or end it/,
    );
    for (const user of users) expect((await user.call('items')).items).toEqual(['kept']);
    await Promise.all(users.map((user) => user.close(false)));
  }, 60_000);
});

/** Calls of both clients meet until the lesson is learnt. */
async function teach(first: User, second: User): Promise<void> {
  const isLearnt = () => gateway.panel.sessions.view(SERVER).sharing.answersInTurn === true;
  for (let round = 0; round < 20 && !isLearnt(); round += 1) {
    const long = first.call('store', { item: 'lesson', ms: 400 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await second.call('items');
    await long;
  }
  expect(isLearnt()).toBe(true);
}

describe('clients of a shared server that answers one call at a time', () => {
  it('six of them, which give up after 1.5 s and try up to five times, get 120 of 120, and nothing is done twice that was not on its way', async () => {
    await open({});
    const endpoints = await gateway.endpoints(CLIENTS);
    const users = await Promise.all(endpoints.map((endpoint) => connect(endpoint, true)));
    await teach(users[0]!, users[1]!);
    /** When each given-up try ended for its client, in epoch milliseconds. */
    const givenUpAt = new Map<string, number>();
    const total = await answered(async (who) => {
      let count = 0;
      for (let round = 0; round < CALLS; round += 1) {
        for (let attempt = 0; attempt < 5; attempt += 1) {
          const item = `${who} ${round} ${attempt}`;
          const isDone = await users[who]!.call('store', { item, ms: 230 }, 1500).then(
            () => true,
            () => false,
          );
          if (!isDone) {
            givenUpAt.set(item, Date.now());
            continue;
          }
          count += 1;
          break;
        }
      }
      return count;
    });
    expect(total).toBe(CLIENTS * CALLS);
    const { items, begunAt } = await users[0]!.call('items');
    const done = items.filter((item) => item !== 'lesson');
    expect(new Set(done.map((item) => item.replace(/ \d$/, ''))).size).toBe(CLIENTS * CALLS);
    expect(new Set(done).size).toBe(done.length);
    // A server with one call on the wire begins it at once. A try that waited here when its client gave up is never begun.
    const begunLate = items.filter(
      (item, index) => begunAt[index]! > (givenUpAt.get(item) ?? Infinity) + CANCEL_MS,
    );
    expect(begunLate).toEqual([]);
    expect(gateway.starts()).toHaveLength(1);
    await Promise.all(users.map((user) => user.close(false)));
  }, 180_000);

  it('never begins a call whose client gave it up while another was on the wire', async () => {
    await open({});
    const users = await Promise.all((await gateway.endpoints(2)).map((endpoint) => connect(endpoint, true)));
    await teach(users[0]!, users[1]!);
    const long = users[0]!.call('store', { item: 'long', ms: 1500 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await expect(users[1]!.call('store', { item: 'given up' }, 300)).rejects.toThrow('timed out');
    await long;
    expect((await users[1]!.call('items')).items).not.toContain('given up');
    await Promise.all(users.map((user) => user.close(false)));
  }, 60_000);

  it.each([false, true])(
    'two of them, a hundred rounds of waits (after a restart of the panel: %s), share one process and lose nothing; a second one comes with the setting alone',
    async (restarts) => {
      await open({});
      const endpoints = await gateway.endpoints(2);
      const connectAll = () =>
        Promise.all(endpoints.map((endpoint) => connect(gateway.moved(endpoint), true)));
      let users = await connectAll();
      await teach(users[0]!, users[1]!);
      if (restarts) {
        await Promise.all(users.map((user) => user.close(false)));
        await gateway.reopen();
        users = await connectAll();
      }
      await users[0]!.call('items');
      const before = gateway.starts().length;
      for (let round = 0; round < 100; round += 1) {
        const long = users[0]!.call('store', { item: `a${round}`, ms: round < LONG_ROUNDS ? 1500 : 60 });
        await users[1]!.call('store', { item: `b${round}` });
        await long;
      }
      const [seenByA, seenByB] = await Promise.all(
        users.map(async (user) => (await user.call('items')).items),
      );
      expect(seenByA!.filter((item) => item !== 'lesson')).toHaveLength(200);
      expect(seenByB).toEqual(seenByA);
      expect(gateway.starts()).toHaveLength(before);
      const { sharing, sessions } = gateway.panel.sessions.view(SERVER);
      expect(sessions.map(({ instance }) => instance)).toEqual([SERVER]);
      expect(sharing).toMatchObject({ mode: 'shared', answersInTurn: true });
      expect(sharing.waits?.totalMs).toBeGreaterThan(5000);
      await gateway.panel.entries.setSharing(SERVER, 'exclusive');
      await Promise.all(users.map((user) => user.call('items')));
      const own = gateway.panel.sessions.view(SERVER).sessions.filter(({ mode }) => mode === 'exclusive');
      expect(own).toHaveLength(2);
      await Promise.all(users.map((user) => user.close(false)));
    },
    120_000,
  );
});
