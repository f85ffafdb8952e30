import { describe, expect, it, onTestFinished } from 'vitest';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import type { StateKind } from '../../../../shared/server-states.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { RemoteRun } from '../../../../electron/core/supervisor/remote/remote-run.ts';
import { ServerSupervisor } from '../../../../electron/core/supervisor/server-supervisor.ts';
import { waitUntil } from '../../../fixtures/fixture-server.ts';
import { supervisorDeps } from '../supervisor-deps.ts';
import { remoteConfig, remoteDeps } from './remote-bench.ts';
import { answer, jsonBackend, refuse, streamableBackend, serve, type Handler } from './test-server.ts';

/** Supervisor over real HTTP, with everything it did recorded. */
function supervise(config: RemoteServerConfig) {
  const states: StateKind[] = [];
  const events: { readonly kind: string; readonly detail: Record<string, unknown> }[] = [];
  const roundTrips: number[] = [];
  const deps = remoteDeps();
  const supervisor = new ServerSupervisor(config, {
    ...supervisorDeps(systemClock),
    random: () => 0,
    createRun: (current, hooks) => new RemoteRun(deps, current as RemoteServerConfig, hooks),
    onConnection: (connection) => connection.onProbeAnswered((rttMs) => roundTrips.push(rttMs)),
    onState: (state) => states.push(state.kind),
    logEvent: (kind, detail) => events.push({ kind, detail }),
  });
  onTestFinished(() => supervisor.stop());
  const reaches = (kind: StateKind, generation = 0) =>
    waitUntil(() => supervisor.stateKind === kind && supervisor.generation >= generation, {
      deadlineMs: 15_000,
      describe: `state ${kind}`,
    });
  const kinds = () => events.map((event) => event.kind);
  return { supervisor, states, events, kinds, roundTrips, reaches };
}

/** Supervised server that answers like this, and is up. */
async function supervised(handler: Handler, panel: Record<string, unknown> = {}) {
  const server = await serve(handler);
  const bench = supervise(remoteConfig(server.url, panel));
  await bench.supervisor.start();
  const probed = () => waitUntil(() => bench.roundTrips.length > 0, 'the first probe');
  return { server, ...bench, probed };
}

const RETRY = {
  restart: { initialBackoffMs: 100, maxBackoffMs: 200, maxRestartAttempts: 20, maxPerHour: 100 },
};

describe('a supervised remote server', () => {
  it('is shown as unverified where its certificate could be checked and is not', () => {
    const viewOf = (url: string, verify: boolean) =>
      supervise(remoteConfig(url, {}, { tls: { verify } })).supervisor.view();
    expect(viewOf('https://a.example/mcp', false)).toMatchObject({ isTlsUnverified: true });
    expect(viewOf('https://a.example/mcp', true)).not.toHaveProperty('isTlsUnverified');
    expect(viewOf('http://a.example/mcp', false)).not.toHaveProperty('isTlsUnverified');
  });

  it('is started and stopped like any other, without process figures', async () => {
    const backend = streamableBackend();
    const { server, supervisor, states, kinds, roundTrips, probed } = await supervised(backend.handler);
    expect(supervisor.view()).toMatchObject({
      transport: 'http',
      generation: 1,
      serverInfo: { name: 'test-server', version: '1.2.3' },
    });
    expect(supervisor.view().pid).toBeUndefined();
    await probed();
    expect(roundTrips[0]).toBeGreaterThan(0);
    await supervisor.stop();
    expect(states).toEqual(['starting', 'running', 'stopping', 'stopped']);
    expect(kinds()).toEqual(['started', 'stopped']);
    expect(server.log().filter((entry) => entry === 'DELETE')).toHaveLength(1);
    expect(backend.sessions.size).toBe(0);
  });

  it('gets a new session when the server has forgotten the old one', async () => {
    const backend = streamableBackend();
    const { server, supervisor, states, kinds, reaches, probed } = await supervised(backend.handler, RETRY);
    await probed();
    backend.sessions.clear();
    await expect(supervisor.connection!.request('tools/list', {})).rejects.toMatchObject({
      code: 'SESSION_CLOSED',
    });
    await reaches('running', 2);
    await expect(supervisor.connection!.request('tools/list', {})).resolves.toEqual({ tools: [] });
    expect(states).toEqual(['starting', 'running', 'backoff', 'starting', 'running']);
    expect(kinds()).toEqual(['started', 'crashed', 'restart-scheduled', 'restarted']);
    expect(server.log()).not.toContain('DELETE');
  });

  it('is called in one round trip after a silence: the question leaves behind the call, on a connection of its own', async () => {
    const sockets = new Map<string, unknown>();
    let isHeld = false;
    const health = { probeIntervalMs: 200 };
    const { server, supervisor, probed } = await supervised(
      (request, response, body) => {
        const rpc = /"method":"([^"]+)"/.exec(body)?.[1] ?? request.method!;
        sockets.set(rpc, request.socket);
        // A held question is never answered, so that waiting for its answer would never end.
        if (isHeld && rpc === 'ping') return;
        return jsonBackend(answer, { 'mcp-session-id': 's' })(request, response, body);
      },
      { health },
    );
    await probed();
    isHeld = true;
    const before = server.log().length;
    const usedSocket = sockets.get('ping');
    const connection = supervisor.connection!;
    await waitUntil(
      () => systemClock.now() - connection.lastActivityAtMs > health.probeIntervalMs,
      'a silence',
    );
    await expect(connection.request('tools/call', { name: 'a' })).resolves.toEqual({});
    await waitUntil(() => server.log().length >= before + 2, 'the question');
    expect(server.log().slice(before)).toEqual(['POST tools/call', 'POST ping']);
    expect(sockets.get('tools/call')).toBe(usedSocket);
    expect(sockets.get('ping')).not.toBe(usedSocket);
  });

  it('tells a call into a session that it has forgotten in a silence that it was not carried out', async () => {
    const backend = streamableBackend();
    const health = { probeIntervalMs: 200 };
    const { server, supervisor, reaches, probed } = await supervised(backend.handler, { ...RETRY, health });
    await probed();
    const connection = supervisor.connection!;
    backend.sessions.clear();
    await waitUntil(
      () => systemClock.now() - connection.lastActivityAtMs > health.probeIntervalMs,
      'a silence',
    );
    await expect(connection.request('tools/list', {})).rejects.toMatchObject({ code: 'SESSION_CLOSED' });
    await reaches('running', 2);
    await expect(supervisor.connection!.request('tools/list', {})).resolves.toEqual({ tools: [] });
    expect(server.log().filter((entry) => entry === 'POST tools/list')).toHaveLength(2);
  });

  it('is connected again, with backoff, when the server comes back', async () => {
    const first = await serve(streamableBackend().handler);
    const { supervisor, kinds, events, reaches } = supervise(remoteConfig(first.url, RETRY));
    await supervisor.start();
    await waitUntil(() => first.log().includes('GET'), 'the stream');
    await first.close();
    await waitUntil(() => kinds().includes('start-failed'), 'a start in vain');
    const second = await serve(streamableBackend().handler, first.port);
    await reaches('running', 3);
    await expect(supervisor.connection!.request('tools/list', {})).resolves.toEqual({ tools: [] });
    expect(kinds().slice(0, 4)).toEqual(['started', 'crashed', 'restart-scheduled', 'start-failed']);
    expect(kinds().at(-1)).toBe('restarted');
    expect(events[1]?.detail).toMatchObject({ code: 'UNREACHABLE', generation: 1 });
    const delays = events
      .filter(({ kind }) => kind === 'restart-scheduled')
      .map(({ detail }) => detail['delayMs']);
    expect(delays.slice(0, 2)).toEqual([50, 100]);
    expect(second.log()[0]).toBe('POST initialize');
    expect(second.seen[0]?.headers['mcp-session-id']).toBeUndefined();
  });

  it('is given up when its credential has expired, too', async () => {
    const { server, supervisor, reaches, kinds } = await supervised(jsonBackend(answer), RETRY);
    server.handler = refuse(401);
    await expect(supervisor.connection!.request('tools/list', {})).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
    });
    await reaches('failed');
    expect(kinds()).toEqual(['started', 'crashed', 'gave-up']);
  });

  it('is found not to respond when it takes requests and answers none', async () => {
    const healthy = jsonBackend(answer, { 'mcp-session-id': 's' });
    const health = { probeIntervalMs: 100, stallThresholdMs: 400 };
    const { server, states, kinds, reaches } = await supervised(healthy, { ...RETRY, health });
    await waitUntil(() => server.log().includes('POST ping'), 'the first probe');
    server.handler = (request, response, body) =>
      body.includes('initialize') ? healthy(request, response, body) : undefined;
    await waitUntil(() => states.includes('stalled'), 'the verdict');
    server.handler = healthy;
    await reaches('running', 2);
    expect(kinds()).toEqual(expect.arrayContaining(['started', 'stalled', 'restart-scheduled', 'restarted']));
    // The server did not respond, so nothing is sent to it any more.
    expect(server.log()).not.toContain('DELETE');
  });
});
