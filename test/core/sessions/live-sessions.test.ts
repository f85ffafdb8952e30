import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { fixtureServer, readMessages, readStarts, waitUntil } from '../../fixtures/fixture-server.ts';
import { createLiveSessions, stdio, type LiveSessionsBench } from './live-sessions-bench.ts';
import { isAlive } from '../../support/proc.ts';

/** Processes of one server: Windows puts a console host below each. */
const PROCESSES = process.platform === 'win32' ? 2 : 1;

let folder: string;
let benches: LiveSessionsBench[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sessions-'));
  benches = [];
});
afterEach(async () => {
  await Promise.all(benches.map((bench) => bench.dispose()));
  const survivors = readStarts(startLog()).filter(isAlive);
  rmSync(folder, { recursive: true, force: true });
  expect(survivors).toEqual([]);
});

const startLog = () => join(folder, 'starts');
const server = (panel: Record<string, unknown> = {}, ...flags: string[]) =>
  stdio(fixtureServer(`--start-log=${startLog()}`, ...flags), panel);
const starts = () => readStarts(startLog());
const messageLog = () => join(folder, 'messages');
/** Ids of the calls of that tool that a server with `--message-log` has got. */
const callsOf = (tool: string) =>
  readMessages(messageLog()).flatMap(({ method, id, params }) =>
    method === 'tools/call' && params?.['name'] === tool ? [id] : [],
  );
/** Ids of the calls that the server was told nobody waits for any more. */
const calledOff = () =>
  readMessages(messageLog()).flatMap(({ method, params }) =>
    method === 'notifications/cancelled' ? [params?.['requestId']] : [],
  );

function bench(...configs: ServerConfig[]): LiveSessionsBench {
  const made = createLiveSessions(configs);
  benches.push(made);
  return made;
}

const pidOf = async (live: LiveSessionsBench, context: string, name = 'one') =>
  (JSON.parse(await live.tool(context, name, 'pid')) as { pid: number }).pid;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: { code?: string }) => error.code ?? 'no code',
  );
const until = (describe: string, condition: () => boolean) =>
  waitUntil(condition, { deadlineMs: 10_000, describe });

describe('a shared server', () => {
  it('serves two contexts with one process', async () => {
    const live = bench(server());
    const [first, second] = await Promise.all([pidOf(live, 'a'), pidOf(live, 'b')]);
    expect(first).toBe(second);
    expect(starts()).toEqual([first]);
    const [session, ...others] = live.open();
    expect(others).toEqual([]);
    expect(session).toMatchObject({ mode: 'shared', instance: 'one', pid: first });
    expect(session?.leases.map(({ contextId }) => contextId).sort()).toEqual(['a', 'b']);
    expect(session?.leases.every(({ callsInFlight }) => callsInFlight === 0)).toBe(true);
    // The session is closed in its time because nobody holds a lease any more.
    expect(session?.evictsAt).toBe(session!.idleSince! + 400_000);
    expect(live.sessions.count(live.fleet.get('one').config)).toEqual({ sessions: 1, leases: 2 });
    expect(live.changes).toContain('one');
  });

  it('is started by a call, once for all callers', async () => {
    const live = bench(server({ autoStart: false }));
    expect(live.fleet.get('one').stateKind).toBe('stopped');
    const pids = await Promise.all(Array.from({ length: 20 }, (_, index) => pidOf(live, `context ${index}`)));
    expect(new Set(pids).size).toBe(1);
    expect(starts()).toHaveLength(1);
  });

  it('shows a call that is under way', async () => {
    const live = bench(server());
    const slow = live.tool('a', 'one', 'sleep', { ms: 300 });
    await until('the call in the view', () => live.open()[0]?.leases[0]?.callsInFlight === 1);
    expect(live.open()[0]).not.toHaveProperty('idleSince');
    await slow;
    expect(live.open()[0]?.leases[0]).toMatchObject({ contextId: 'a', callsInFlight: 0 });
  });

  it('runs on when its session is evicted, and the next call gets a new session', async () => {
    const live = bench(server());
    const pid = await pidOf(live, 'a');
    const { generation } = live.open()[0]!;
    const slow = live.tool('a', 'one', 'sleep', { ms: 200 });
    await until('the call under way', () => live.open()[0]?.leases[0]?.callsInFlight === 1);
    await live.sessions.evict('one', generation);
    expect(live.open()).toEqual([]);
    expect(isAlive(pid)).toBe(true);
    await slow;
    expect(await pidOf(live, 'b')).toBe(pid);
    expect(live.open()[0]?.generation).toBeGreaterThan(generation);
    await live.sessions.evict('one', generation); // The generation is stale, so nothing happens.
    expect(live.open()).toHaveLength(1);
    expect(starts()).toHaveLength(1);
  });

  it('ends its session at once when it crashes; the call under way says so, the next one works', async () => {
    const live = bench(server({ restart: { initialBackoffMs: 50 } }));
    const pid = await pidOf(live, 'a');
    const { generation } = live.open()[0]!;
    const lost = codeOf(live.tool('a', 'one', 'sleep', { ms: 10_000 }));
    await until('the call to be under way', () => live.open()[0]?.leases[0]?.callsInFlight === 1);
    process.kill(pid, 'SIGKILL');
    expect(['CRASHED', 'OUTCOME_UNKNOWN']).toContain(await lost);
    await until('the session to end', () => live.open().every((one) => one.generation !== generation));
    const next = await pidOf(live, 'a');
    expect(next).not.toBe(pid);
    expect(live.open()).toHaveLength(1);
    expect(live.open()[0]?.generation).toBeGreaterThan(generation);
    expect(live.fleet.get('one').generation).toBe(2);
  });

  it('has its sessions end with a stop; a call that waits for it is told, a later one starts it again', async () => {
    const live = bench(server());
    const pid = await pidOf(live, 'a');
    const slow = codeOf(live.tool('a', 'one', 'sleep', { ms: 10_000 }));
    await until('the call to be under way', () => live.open()[0]?.leases[0]?.callsInFlight === 1);
    const stopped = live.fleet.get('one').stop();
    const duringStop = codeOf(live.tool('b', 'one', 'echo', { text: 'x' }));
    await stopped;
    expect(await slow).toBe('STOPPED');
    expect(await duringStop).toBe('STOPPED');
    expect(live.open()).toEqual([]);
    expect(isAlive(pid)).toBe(false);
    expect(await pidOf(live, 'b')).not.toBe(pid);
  });

  it('fails fast when it was given up, and names the cause', async () => {
    const live = bench(stdio({ command: 'no-such-command-anywhere', args: [] }, { autoStart: false }));
    expect(await codeOf(live.tool('a', 'one', 'echo'))).toBe('COMMAND_NOT_FOUND');
    expect(await codeOf(live.tool('a', 'one', 'echo'))).toBe('COMMAND_NOT_FOUND');
    expect(live.fleet.get('one').generation).toBe(1);
    expect(await codeOf(live.tool('a', 'nobody', 'echo'))).toBe('SERVER_UNKNOWN');
  });

  it('is not started by a call when it is disabled', async () => {
    const live = bench({ ...server(), enabled: false });
    expect(await codeOf(live.tool('a', 'one', 'echo'))).toBe('STOPPED');
    expect(starts()).toEqual([]);
  });

  it('keeps two servers apart that are started in the same way', async () => {
    const live = bench(server(), { ...server(), name: 'two' });
    const [one, two] = await Promise.all([pidOf(live, 'a', 'one'), pidOf(live, 'a', 'two')]);
    expect(one).not.toBe(two);
    expect(one).toBe(live.fleet.get('one').run?.pid);
    expect(two).toBe(live.fleet.get('two').run?.pid);
  });

  it('loses its sessions when it is reached differently, and when it is removed', async () => {
    const live = bench(server());
    const pid = await pidOf(live, 'a');
    const { generation } = live.open()[0]!;
    live.apply([server({}, '--name=changed')]);
    await until('the session to end', () => live.open().every((one) => one.generation !== generation));
    expect(await pidOf(live, 'a')).not.toBe(pid);
    live.apply([]);
    await live.fleet.whenRemoved('one');
    expect(live.sessions.count(server({}, '--name=changed'))).toEqual({});
    expect(await codeOf(live.tool('a', 'one', 'echo'))).toBe('SERVER_UNKNOWN');
  });
});

const exclusive = (...flags: string[]) => server({ sessions: { mode: 'exclusive' } }, ...flags);

describe('a server that asks its clients for something', () => {
  it('is shared until it does; then everybody gets a process of their own, and the view says why', async () => {
    const live = bench(server({}, '--ask-back=elicitation/create'));
    expect(live.sessions.view('one').sharing).toMatchObject({ mode: 'shared', reason: 'default' });
    const own = await pidOf(live, 'a');
    await until('the lesson', () => live.sessions.view('one').sharing.reason === 'learnt');
    expect(live.sessions.view('one').sharing).toEqual({
      mode: 'exclusive',
      setting: 'auto',
      reason: 'learnt',
      asksClients: true,
      words:
        'It asks its clients to put questions to their person, so each client gets a process from its next session on.',
    });
    expect(live.changes).toContain('one');
    const [b, c] = await Promise.all([pidOf(live, 'b'), pidOf(live, 'c')]);
    expect(new Set([own, b, c]).size).toBe(3);
  });

  it('stays shared where it asks for their folders alone, which nobody tells', async () => {
    const live = bench(server({}, '--ask-back=roots/list'));
    expect(await pidOf(live, 'a')).toBe(await pidOf(live, 'b'));
    expect(await pidOf(live, 'a')).toBe(await pidOf(live, 'c'));
    expect(live.sessions.view('one').sharing).toMatchObject({ mode: 'shared', reason: 'default' });
  });

  it('stays shared where a person said so', async () => {
    const live = bench(server({ sessions: { mode: 'shared' } }, '--ask-back=elicitation/create'));
    expect(await pidOf(live, 'a')).toBe(await pidOf(live, 'b'));
    expect(live.sessions.view('one').sharing).toMatchObject({ mode: 'shared', reason: 'setting' });
  });
});

describe('an exclusive server', () => {
  it('has a process for each context, kept between calls, that ends with its session', async () => {
    const live = bench(exclusive());
    const [first, second] = await Promise.all([pidOf(live, 'a'), pidOf(live, 'b')]);
    expect(first).not.toBe(second);
    expect(await pidOf(live, 'a')).toBe(first);
    const own = live.fleet.get('one').run?.pid;
    expect([first, second]).not.toContain(own);
    expect(
      live
        .open()
        .map(({ instance }) => instance)
        .sort(),
    ).toEqual(['one#2', 'one#3']);
    await live.sessions.evict('one', live.open().find(({ pid }) => pid === first)!.generation);
    expect(isAlive(first)).toBe(false);
    expect(isAlive(second)).toBe(true);
    expect(live.open().map(({ pid }) => pid)).toEqual([second]);
    // The context gets a process of its own again because the number is free.
    expect(await pidOf(live, 'a')).not.toBe(first);
    expect(live.open().map(({ instance }) => instance)).toContain('one#2');
    await live.sessions.close();
    expect(live.sessions.further('one')).toEqual([]);
    expect(isAlive(second)).toBe(false);
  });

  it('counts the further processes in the figures of the server', async () => {
    const live = bench(exclusive());
    const figure = () => live.telemetry.latest('one');
    await live.fleet.get('one').start();
    await until('a figure of a Node process', () => (figure()?.memoryBytes ?? 0) > 20 * 2 ** 20);
    await until('a figure of all its processes', () => figure()?.processCount === PROCESSES);
    const alone = figure()?.memoryBytes ?? 0;
    await Promise.all([pidOf(live, 'a'), pidOf(live, 'b')]);
    // Shared memory counts once, so three need far less than three times the memory of one.
    await until(
      'a figure of three processes',
      () => figure()?.processCount === 3 * PROCESSES && (figure()?.memoryBytes ?? 0) > 1.2 * alone,
    );
    expect(live.telemetry.latest('one#2')).toBeUndefined();
    await live.sessions.stop('one');
    await until('a figure of one process', () => figure()?.processCount === PROCESSES);
  });

  it('ends the session of a process that crashes, and starts none by itself', async () => {
    const live = bench(exclusive());
    const [first, second] = await Promise.all([pidOf(live, 'a'), pidOf(live, 'b')]);
    process.kill(first, 'SIGKILL');
    await until('the session to end', () => live.open().length === 1);
    await until('the instance to be gone', () => live.sessions.further('one').length === 1);
    expect(live.open()[0]?.pid).toBe(second);
    expect(starts()).toHaveLength(3);
    expect(live.events.filter(({ kind }) => kind === 'crashed')).toMatchObject([{ server: 'one#2' }]);
    expect(await pidOf(live, 'a')).not.toBe(first);
  });

  it('makes room by ending the one that was not used for longest, and never more than the limit', async () => {
    const live = bench(server({ sessions: { mode: 'exclusive', maxSessions: 2 } }));
    const first = await pidOf(live, 'a');
    const second = await pidOf(live, 'b');
    const third = await pidOf(live, 'c');
    expect(isAlive(first)).toBe(false);
    expect(live.open().map(({ pid }) => pid)).toEqual([second, third]);
  });

  it('leaves nothing behind when a call is cancelled while its process starts', async () => {
    const live = bench(exclusive('--slow-initialize-ms=300'));
    await until('the server to run', () => live.fleet.get('one').stateKind === 'running');
    const outcome = codeOf(live.call({ callId: 'x', context: 'a', params: { name: 'echo' } }));
    await until('the second start', () => starts().length === 2);
    live.topic.cancel('x');
    expect(await outcome).toBe('CANCELLED');
    await until('the process to be gone', () => !isAlive(starts()[1]!));
    await until('the instance to be gone', () => live.sessions.further('one').length === 0);
    expect(live.open()).toEqual([]);
  });

  it('follows a change of mode with the next call', async () => {
    const live = bench(exclusive());
    const first = await pidOf(live, 'a');
    live.apply([server()]);
    expect(await pidOf(live, 'a')).toBe(live.fleet.get('one').run?.pid);
    expect(isAlive(first)).toBe(true);
    live.apply([{ ...server(), enabled: false }]);
    await until('the further process to end', () => !isAlive(first));
  });
});

describe('a call', () => {
  it('reports progress before its outcome', async () => {
    const live = bench(server());
    const { result, durationMs } = await live.call({
      callId: 'slow',
      params: { name: 'sleep', arguments: { ms: 400, progressIntervalMs: 50 } },
    });
    expect(durationMs).toBeGreaterThanOrEqual(350);
    expect(result).toHaveProperty('content');
    expect(live.progress.length).toBeGreaterThanOrEqual(3);
    expect(live.progress.every(({ callId }) => callId === 'slow')).toBe(true);
    const values = live.progress.map(({ progress }) => progress);
    expect(values).toEqual([...values].sort((one, other) => one - other));
  });

  it('is cancelled at the server, too', async () => {
    const live = bench(server({}, `--message-log=${messageLog()}`));
    const outcome = codeOf(live.call({ callId: 'x', params: { name: 'hang', arguments: {} } }));
    await until('the call at the server', () => callsOf('hang').length === 1);
    live.topic.cancel('x');
    live.topic.cancel('unknown');
    expect(await outcome).toBe('CANCELLED');
    expect(live.open()[0]?.leases[0]).toMatchObject({ contextId: 'window', callsInFlight: 0 });
    // The server reads in order: once this is answered, it has read what came before.
    expect(await live.tool('a', 'one', 'echo', { text: 'still here' })).toBe('still here');
    expect(calledOff()).toEqual(callsOf('hang'));
  });

  it('is freed at its deadline and cancelled at the server, and the session is kept', async () => {
    const live = bench(server({ calls: { timeoutMs: 1500 } }, `--message-log=${messageLog()}`));
    // The deadline of a call covers the start of its server.
    await live.fleet.get('one').start();
    expect(await codeOf(live.tool('a', 'one', 'hang'))).toBe('REQUEST_TIMEOUT');
    expect(live.open()).toHaveLength(1);
    expect(await live.tool('a', 'one', 'echo', { text: 'still here' })).toBe('still here');
    expect(callsOf('hang')).toHaveLength(1);
    expect(calledOff()).toEqual(callsOf('hang'));
  });

  it('is freed at a deadline of its own, shorter or longer than the setting', async () => {
    const live = bench(server({ calls: { timeoutMs: 700, maxTotalMs: 700 } }));
    await live.fleet.get('one').start();
    const sleep = { name: 'sleep', arguments: { ms: 1500 } };
    expect(await codeOf(live.call({ params: { name: 'hang' }, timeoutMs: 50 }))).toBe('REQUEST_TIMEOUT');
    expect(await codeOf(live.call({ params: sleep }))).toBe('REQUEST_TIMEOUT');
    expect(await codeOf(live.call({ params: sleep, timeoutMs: 20_000 }))).toBe('resolved');
  });

  it('may not take the id of another one under way', async () => {
    const live = bench(server());
    const first = live.call({ callId: 'x', params: { name: 'sleep', arguments: { ms: 200 } } });
    const second = live.call({ callId: 'x', params: { name: 'echo', arguments: { text: '' } } });
    expect(await codeOf(second)).toBe('PROTOCOL_ERROR');
    expect(await codeOf(first)).toBe('resolved');
  });

  it('passes on the error of the server', async () => {
    const live = bench(server());
    expect(await codeOf(live.call({ method: 'prompts/get', params: { name: 'none' } }))).toBe('SERVER_ERROR');
  });
});

describe('what a server offers', () => {
  it('is asked of its own process, without a session', async () => {
    const live = bench(exclusive());
    await until('the server to run', () => live.fleet.get('one').stateKind === 'running');
    const { tools, prompts } = await live.topic.offer('one');
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(prompts).toEqual([]);
    expect(live.open()).toEqual([]);
  });

  it('does not start a stopped server', async () => {
    const live = bench(server({ autoStart: false }));
    expect(await codeOf(live.topic.offer('one'))).toBe('STOPPED');
    expect(starts()).toEqual([]);
  });
});
