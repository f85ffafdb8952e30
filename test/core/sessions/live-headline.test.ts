import { afterEach, describe, expect, it } from 'vitest';
import { remoteConfig } from '../supervisor/remote/remote-bench.ts';
import {
  startServer,
  streamableBackend,
  type McpBackend,
  type TestServer,
} from '../supervisor/remote/test-server.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { createLiveSessions, type LiveSessionsBench } from './live-sessions-bench.ts';

const URL_SERVER = 'remote';
const USERS = ['ada', 'ben'];

let live: LiveSessionsBench | undefined;
let http: TestServer | undefined;

afterEach(async () => {
  await live?.dispose();
  await http?.close();
});

/** Remote server, reached by the official server transport over real HTTP. */
async function bench(
  panel: Record<string, unknown> = {},
): Promise<{ live: LiveSessionsBench; http: TestServer; backend: McpBackend }> {
  const backend = streamableBackend({ enableJsonResponse: true });
  http = await startServer(backend.handler);
  live = createLiveSessions([remoteConfig(http.url, { autoStart: false, ...panel })]);
  return { live, http, backend };
}

/** Runs `total` executions of both users, `concurrency` at a time; each acquires, calls and releases. Resolves with the failures. */
async function execute(sessions: LiveSessionsBench, total: number, concurrency: number): Promise<string[]> {
  const failures: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < total) {
      const index = next++;
      const text = `execution ${index}`;
      const user = USERS[index % USERS.length]!;
      const answer = await sessions.tool(user, URL_SERVER, 'echo', { text }).catch(String);
      if (answer !== text) failures.push(`${user}, ${text}: ${answer}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return failures;
}

/**
 * Two users of one URL took the session from each other where it belonged to whoever connected last: with
 * executions side by side, most of them failed.
 */
describe('two users of one URL', () => {
  it.each([
    { concurrency: 10, total: 5000 },
    { concurrency: 100, total: 5000 },
  ])(
    'run $total executions, $concurrency at a time, over one connection without a failure',
    async ({ concurrency, total }) => {
      const { live: sessions, http: server, backend } = await bench();
      expect(await execute(sessions, total, concurrency)).toEqual([]);
      expect(server.log().filter((entry) => entry === 'POST initialize')).toHaveLength(1);
      expect(backend.sessions.size).toBe(1);
      const [session, ...others] = sessions.open(URL_SERVER);
      expect(others).toEqual([]);
      expect(session?.leases.map(({ contextId, callsInFlight }) => ({ contextId, callsInFlight }))).toEqual(
        USERS.map((contextId) => ({ contextId, callsInFlight: 0 })),
      );
      // No execution ended a session: the server was never told that one is over.
      expect(server.log()).not.toContain('DELETE');
    },
    120_000,
  );

  it('do not end the session for each other, and it is deleted once, when nobody is left', async () => {
    const { live: sessions, http: server, backend } = await bench();
    await Promise.all(USERS.map((user) => sessions.tool(user, URL_SERVER, 'echo', { text: user })));
    const [session] = sessions.open(URL_SERVER);
    await sessions.sessions.evict(URL_SERVER, session!.generation);
    expect(server.log()).not.toContain('DELETE');
    expect(await sessions.tool('ada', URL_SERVER, 'echo', { text: 'again' })).toBe('again');
    await sessions.dispose();
    await waitUntil(() => backend.sessions.size === 0, { deadlineMs: 5000, describe: 'the DELETE' });
    expect(server.log().filter((entry) => entry === 'DELETE')).toHaveLength(1);
  });

  it('have a session each where it is exclusive, and each is deleted when it ends', async () => {
    const { live: sessions, http: server, backend } = await bench({ sessions: { mode: 'exclusive' } });
    await Promise.all(USERS.map((user) => sessions.tool(user, URL_SERVER, 'echo', { text: user })));
    // Three sessions are theirs, and the one by which the server itself is supervised.
    expect(backend.sessions.size).toBe(3);
    const open = sessions.open(URL_SERVER);
    expect(open.map(({ instance }) => instance)).toEqual(['remote#2', 'remote#3']);
    await sessions.sessions.evict(URL_SERVER, open[0]!.generation);
    expect(backend.sessions.size).toBe(2);
    expect(server.log().filter((entry) => entry === 'DELETE')).toHaveLength(1);
    await sessions.dispose();
    await waitUntil(() => backend.sessions.size === 0, { deadlineMs: 5000, describe: 'the DELETEs' });
  });

  it('cancel a call at the server', async () => {
    const { live: sessions, http: server, backend } = await bench();
    const gate = backend.gate();
    const outcome = sessions
      .call({ callId: 'x', name: URL_SERVER, params: { name: 'wait', arguments: {} } })
      .catch((error: { code: string }) => error.code);
    await gate.called;
    sessions.topic.cancel('x');
    expect(await outcome).toBe('CANCELLED');
    const wasTold = () => server.log().includes('POST notifications/cancelled');
    await waitUntil(wasTold, { deadlineMs: 5000, describe: 'the cancellation' });
    gate.open();
    expect(await sessions.tool('ada', URL_SERVER, 'echo', { text: 'still here' })).toBe('still here');
  });
});
