import { describe, expect, it, onTestFinished } from 'vitest';
import { serve, streamableBackend } from '../supervisor/remote/test-server.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { openTestPanel, type TestPanel } from '../panel/open-test-panel.ts';

const URL_SERVER = 'remote';
const USERS = ['ada', 'ben'];

type Sessions = TestPanel['panel']['sessions'];

/** Sessions of a panel with a remote server, reached by the official server transport over real HTTP. */
async function bench(settings: Record<string, unknown> = {}) {
  const backend = streamableBackend({ enableJsonResponse: true });
  const server = await serve(backend.handler);
  const opened = await openTestPanel({
    [URL_SERVER]: { url: server.url, panel: { autoStart: false, ...settings } },
  });
  onTestFinished(() => opened.dispose());
  const { panel } = opened;
  panel.start();
  return { panel, sessions: panel.sessions, server, backend };
}

let calls = 0;
async function echo(sessions: Sessions, context: string, text: string): Promise<string | undefined> {
  const params = { name: 'echo', arguments: { text } };
  const callId = `call-${(calls += 1)}`;
  const outcome = await sessions.call({ callId, context, name: URL_SERVER, method: 'tools/call', params });
  return (outcome.result as { content: { text: string }[] }).content[0]?.text;
}

/** Runs `total` executions of both users, `concurrency` at a time; each acquires, calls and releases. Resolves with the failures. */
async function execute(sessions: Sessions, total: number, concurrency: number): Promise<string[]> {
  const failures: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < total) {
      const index = next++;
      const text = `execution ${index}`;
      const user = USERS[index % USERS.length]!;
      const answer = await echo(sessions, user, text).catch(String);
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
      const { sessions, server, backend } = await bench();
      expect(await execute(sessions, total, concurrency)).toEqual([]);
      expect(server.log().filter((entry) => entry === 'POST initialize')).toHaveLength(1);
      expect(backend.sessions.size).toBe(1);
      const [session, ...others] = sessions.view(URL_SERVER).sessions;
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
    const { panel, sessions, server, backend } = await bench();
    await Promise.all(USERS.map((user) => echo(sessions, user, user)));
    const [session] = sessions.view(URL_SERVER).sessions;
    await sessions.evict(URL_SERVER, session!.generation);
    expect(server.log()).not.toContain('DELETE');
    expect(await echo(sessions, 'ada', 'again')).toBe('again');
    await panel.dispose();
    await waitUntil(() => backend.sessions.size === 0, { deadlineMs: 5000, describe: 'the DELETE' });
    expect(server.log().filter((entry) => entry === 'DELETE')).toHaveLength(1);
  });

  it('have a session each where it is exclusive, and each is deleted when it ends', async () => {
    const { panel, sessions, server, backend } = await bench({ sessions: { mode: 'exclusive' } });
    await Promise.all(USERS.map((user) => echo(sessions, user, user)));
    // Three sessions are theirs, and the one by which the server itself is supervised.
    expect(backend.sessions.size).toBe(3);
    const open = sessions.view(URL_SERVER).sessions;
    expect(open.map(({ instance }) => instance)).toEqual(['remote#2', 'remote#3']);
    await sessions.evict(URL_SERVER, open[0]!.generation);
    expect(backend.sessions.size).toBe(2);
    expect(server.log().filter((entry) => entry === 'DELETE')).toHaveLength(1);
    await panel.dispose();
    await waitUntil(() => backend.sessions.size === 0, { deadlineMs: 5000, describe: 'the DELETEs' });
  });

  it('cancel a call at the server', async () => {
    const { sessions, server, backend } = await bench();
    const gate = backend.gate();
    const outcome = sessions
      .call({ callId: 'x', name: URL_SERVER, method: 'tools/call', params: { name: 'wait', arguments: {} } })
      .catch((error: { code: string }) => error.code);
    await gate.called;
    sessions.cancel('x');
    expect(await outcome).toBe('CANCELLED');
    const wasTold = () => server.log().includes('POST notifications/cancelled');
    await waitUntil(wasTold, { deadlineMs: 5000, describe: 'the cancellation' });
    gate.open();
    expect(await echo(sessions, 'ada', 'still here')).toBe('still here');
  });
});
