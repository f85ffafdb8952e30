import { describe, expect, it, onTestFinished } from 'vitest';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Lease } from '../../../electron/core/sessions/lease.ts';
import type { AnswerRequest } from '../../../electron/core/mcp/server-requests.ts';
import { exclusiveSlot, ownSlot } from '../../../electron/core/sessions/session-policy.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { createFakeSupervision, type FakeSupervision } from './fake-supervised.ts';
import { stdioConfig, turn, withSessions } from './fake-servers.ts';

const config = stdioConfig('one');
const exclusive = withSessions(config, { mode: 'exclusive', maxSessions: 3, idleTimeoutMs: 60_000 });

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'leased',
    (error: { code?: string }) => error.code ?? 'no code',
  );

interface Opened extends FakeSupervision {
  readonly leases: Lease[];
}

/** Fake supervision of which nothing may be left when the test is over. */
function open(...options: Parameters<typeof createFakeSupervision>): Opened {
  const fake = createFakeSupervision(...options);
  const { sessions } = fake;
  const leases: Lease[] = [];
  const acquire = sessions.acquire.bind(sessions);
  sessions.acquire = async (...wish) => {
    const lease = await acquire(...wish);
    leases.push(lease);
    return lease;
  };
  const opened = { ...fake, leases };
  onTestFinished(() => expectNothingLeft(opened));
  return opened;
}

/** Releases all, lets everything run idle, and checks that nothing is left. */
async function expectNothingLeft({ sessions, clock, server, leases, listeners }: Opened): Promise<void> {
  await Promise.all(leases.map((lease) => lease.release()));
  await clock.advance(server.config.panel.sessions.idleTimeoutMs + 60_000);
  expect(sessions.count(server.config)).toEqual({});
  expect(sessions.further('one')).toEqual([]);
  expect([clock.pending, listeners()]).toEqual([0, 0]);
}

describe('a shared session', () => {
  it('is opened once for all who wait while the server starts', async () => {
    const fake = open(config);
    fake.server.isParked = true;
    const waiting = Array.from({ length: 10 }, (_, index) =>
      fake.sessions.acquire(`context ${index}`, 'one'),
    );
    await turn();
    expect(fake.server.starts).toBe(1);
    fake.server.becomeReady();
    const leases = await Promise.all(waiting);
    expect(new Set(leases.map(({ generation }) => generation)).size).toBe(1);
    expect(fake.sessions.count(fake.server.config)).toEqual({ sessions: 1, leases: 10 });
    await expectNothingLeft(fake);
    expect(fake.server.stops).toBe(0);
  });

  it('has one failure for all who wait; the next caller tries again', async () => {
    const fake = open(config);
    fake.server.isParked = true;
    const waiting = ['a', 'b', 'c'].map((id) => codeOf(fake.sessions.acquire(id, 'one')));
    await turn();
    fake.server.failToStart(new PanelError('START_FAILED', 'exited with code 3'));
    expect(await Promise.all(waiting)).toEqual(['START_FAILED', 'START_FAILED', 'START_FAILED']);
    const next = fake.sessions.acquire('a', 'one');
    await turn();
    // Callers wait in backoff because the restart policy decides there.
    expect(fake.server.starts).toBe(1);
    fake.server.becomeReady();
    await next;
  });

  it.each(['backoff', 'stopping', 'stalled'] as const)('waits while the server is %s', async (kind) => {
    const fake = open(config);
    fake.server.stateKind = kind;
    const waiting = fake.sessions.acquire('a', 'one');
    await turn();
    expect(fake.server.starts).toBe(0);
    fake.server.becomeReady();
    await waiting;
  });

  it('is refused at once to who waits for a start when the server is stopped', async () => {
    const fake = open(config);
    fake.server.isParked = true;
    const waiting = codeOf(fake.sessions.acquire('a', 'one'));
    await turn();
    await fake.stop();
    expect(await waiting).toBe('STOPPED');
    await turn();
    expect(fake.server).toMatchObject({ stateKind: 'stopped', starts: 1 });
  });

  it('comes with the run of a later command when that took the place of the start', async () => {
    const fake = open(config);
    fake.server.isParked = true;
    const waiting = fake.sessions.acquire('a', 'one');
    await turn();
    fake.server.supersedeStart();
    await turn();
    fake.server.becomeReady();
    await waiting;
    await expectNothingLeft(fake);
    expect(fake.server.starts).toBe(1);
  });

  it('is refused at once, with the cause and a remedy, when the server was given up', async () => {
    const fake = open(config);
    fake.server.stateKind = 'failed';
    fake.server.lastError = { code: 'AUTH_REQUIRED', message: 'HTTP 401', remedy: 'Renew the token.' };
    await expect(fake.sessions.acquire('a', 'one')).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      remedy: 'Renew the token.',
    });
    expect(fake.server.starts).toBe(0);
    expect(await codeOf(fake.sessions.acquire('a', 'nobody'))).toBe('SERVER_UNKNOWN');
  });

  it('does not start a server that the panel has stopped for a limit; once a person has, it comes', async () => {
    const fake = open(config);
    fake.server.reason = 'one held 2000 MiB';
    fake.server.lastError = { code: 'LIMIT_BREACHED', message: fake.server.reason };
    await expect(fake.sessions.acquire('a', 'one')).rejects.toMatchObject({
      code: 'LIMIT_BREACHED',
      message: 'one was stopped: one held 2000 MiB',
    });
    expect(fake.server.starts).toBe(0);
    fake.server.reason = undefined;
    await fake.server.start();
    await fake.sessions.acquire('a', 'one');
  });

  it('ends at once with the run below it', async () => {
    const fake = open(config);
    const lease = await fake.sessions.acquire('a', 'one');
    fake.server.crash();
    await lease.closed;
    await turn();
    expect(fake.sessions.view('one').sessions).toEqual([]);
    fake.server.becomeReady();
    const next = await fake.sessions.acquire('a', 'one');
    expect(next.generation).toBeGreaterThan(lease.generation);
    await lease.release(); // A late release of an earlier session touches nothing.
    expect(fake.sessions.count(fake.server.config)).toEqual({ sessions: 1, leases: 1 });
  });

  it('is kept while it is leased or a request is pending, and ends when it was idle for its time', async () => {
    const fake = open(withSessions(config, { idleTimeoutMs: 60_000 }));
    const lease = await fake.sessions.acquire('a', 'one');
    await fake.clock.advance(600_000);
    expect(fake.sessions.view('one').sessions[0]).not.toHaveProperty('evictsAt');
    const answer = createDeferred<Record<string, unknown>>();
    fake.server.connection!.answer = answer.promise;
    const call = lease.request('tools/call', {});
    await lease.release();
    await fake.clock.advance(600_000);
    expect(fake.sessions.count(fake.server.config)).toEqual({ sessions: 1, leases: 1 });
    answer.resolve({ content: [] });
    expect(await call).toEqual({ content: [] });
    const [session] = fake.sessions.view('one').sessions;
    expect(session).toMatchObject({
      idleSince: fake.clock.epochMs(),
      evictsAt: fake.clock.epochMs() + 60_000,
    });
    await fake.clock.advance(120_000);
    expect(fake.sessions.count(fake.server.config)).toEqual({});
    expect(fake.server.stops).toBe(0);
  });

  it('shows who used it, the last hundred, with their calls', async () => {
    const fake = open(config);
    const holder = await fake.sessions.acquire('holder', 'one');
    const answer = createDeferred<Record<string, unknown>>();
    fake.server.connection!.answer = answer.promise;
    const calls = [holder.request('a', {}), holder.request('b', {})];
    expect(fake.sessions.view('one').sessions[0]?.leases).toEqual([
      {
        contextId: 'holder',
        since: fake.clock.epochMs(),
        callsInFlight: 2,
        lastUseAt: fake.clock.epochMs(),
      },
    ]);
    answer.resolve({});
    await Promise.all(calls);
    for (let index = 0; index < 150; index += 1)
      await (await fake.sessions.acquire(`passer-by ${index}`, 'one')).release();
    const { leases = [] } = fake.sessions.view('one').sessions[0]!;
    expect(leases).toHaveLength(101);
    expect(leases[0]).toMatchObject({ contextId: 'holder', callsInFlight: 0 });
    expect(leases.at(-1)?.contextId).toBe('passer-by 149');
    expect(leases[1]?.contextId).toBe('passer-by 50');
  });

  it('refuses a released lease', async () => {
    const fake = open(config);
    const lease = await fake.sessions.acquire('a', 'one');
    await Promise.all([lease.release(), lease.release()]);
    expect(await codeOf(lease.request('tools/call', {}))).toBe('SESSION_CLOSED');
    expect(fake.server.connection?.asked).toEqual([]);
  });

  it('refuses the leases of a session that was ended by hand, though the server runs on', async () => {
    const fake = open(config);
    const lease = await fake.sessions.acquire('a', 'one');
    await fake.sessions.evict('one', lease.generation);
    await lease.closed;
    expect(await codeOf(lease.request('tools/call', {}))).toBe('SESSION_CLOSED');
    expect(fake.server).toMatchObject({ stateKind: 'running', stops: 0 });
    expect(fake.server.connection?.asked).toEqual([]);
  });

  it('is refused to all who wait at shutdown, and later', async () => {
    const fake = open(config);
    fake.server.isParked = true;
    const waiting = codeOf(fake.sessions.acquire('a', 'one'));
    await turn();
    await fake.sessions.close();
    expect(await waiting).toBe('MANAGER_CLOSED');
    expect(await codeOf(fake.sessions.acquire('a', 'one'))).toBe('MANAGER_CLOSED');
    expect(fake.clock.pending).toBe(0);
    expect(fake.listeners()).toBe(0);
  });
});

describe('an exclusive session', () => {
  it('has the lowest free number, and gives it back when its process has ended', async () => {
    const fake = open(exclusive);
    const a = await fake.sessions.acquire('a', 'one');
    await fake.sessions.acquire('b', 'one');
    const again = await fake.sessions.acquire('a', 'one');
    expect(again.generation).toBe(a.generation);
    expect(fake.instances.map(({ name }) => name)).toEqual(['one#2', 'one#3']);
    // Further instances are lost with what they held: a restart would only look like the same session.
    expect(fake.instances[0]?.config.panel.restart.enabled).toBe(false);
    await fake.sessions.evict('one', a.generation);
    expect(fake.instances[0]).toMatchObject({ stateKind: 'stopped', stops: 1 });
    await fake.sessions.acquire('c', 'one');
    expect(fake.instances.map(({ name }) => name)).toEqual(['one#2', 'one#3', 'one#2']);
    await expectNothingLeft(fake);
    expect(fake.instances.every(({ stateKind }) => stateKind === 'stopped')).toBe(true);
    expect(fake.server.stops).toBe(0);
  });

  it('does not wait for the own run of its server, which is started beside it, and for a next attempt after a failure', async () => {
    const fake = open(exclusive);
    fake.server.isParked = true;
    await fake.sessions.acquire('a', 'one');
    expect([fake.server.stateKind, fake.server.starts]).toEqual(['starting', 1]);
    await fake.sessions.acquire('b', 'one');
    expect(fake.server.starts).toBe(1);
    fake.server.lastError = { code: 'START_FAILED', message: 'exited with code 3' };
    const late = codeOf(fake.sessions.acquire('c', 'one'));
    await turn();
    expect(fake.instances).toHaveLength(2);
    fake.server.failToStart(new PanelError('START_FAILED', 'exited with code 3'));
    expect(await late).toBe('START_FAILED');
  });

  it('leaves nothing behind when its start fails, is cancelled, or the server is stopped meanwhile', async () => {
    const fake = open(exclusive, true);
    await fake.server.start(); // The three then get their processes in order.
    const abort = new AbortController();
    const outcomes = [
      codeOf(fake.sessions.acquire('a', 'one')),
      codeOf(fake.sessions.acquire('b', 'one', { signal: abort.signal })),
      codeOf(fake.sessions.acquire('c', 'one')),
    ];
    await turn();
    fake.instances[0]!.failToStart(new PanelError('START_FAILED', 'exited with code 3'));
    abort.abort();
    await turn();
    await fake.sessions.stop('one');
    expect(await Promise.all(outcomes)).toEqual(['START_FAILED', 'CANCELLED', 'STOPPED']);
    expect(fake.instances.every(({ stateKind, stops }) => stateKind === 'stopped' && stops > 0)).toBe(true);
  });

  it('follows changed settings, and ends when the server is reached differently', async () => {
    const fake = open(exclusive);
    const lease = await fake.sessions.acquire('a', 'one');
    const raised = withSessions(config, { mode: 'exclusive', maxSessions: 5 });
    fake.configure(raised);
    expect(fake.instances[0]?.config).toMatchObject({
      name: 'one#2',
      panel: { sessions: { maxSessions: 5 } },
    });
    expect(fake.instances[0]?.stops).toBe(0);
    fake.configure({ ...raised, args: ['--other'] });
    await lease.closed;
    expect(fake.instances[0]?.stateKind).toBe('stopped');
  });

  it('ends by a shortened idle time without another call, and the view never shows an end in the past', async () => {
    const settings = { mode: 'exclusive', idleTimeoutMs: 7 * 86_400_000 } as const;
    const fake = open(withSessions(config, settings));
    const lease = await fake.sessions.acquire('a', 'one');
    await lease.release();
    await fake.clock.advance(30_000);
    fake.configure(withSessions(config, { ...settings, idleTimeoutMs: 60_000 }));
    expect(fake.sessions.view('one').sessions).toMatchObject([{ evictsAt: fake.clock.epochMs() + 30_000 }]);
    await fake.clock.advance(60_000);
    expect(fake.sessions.count(fake.server.config)).toEqual({});
    expect(fake.instances[0]?.stateKind).toBe('stopped');
  });

  it('is opened for those who wait as soon as the settings allow more of them', async () => {
    const settings = { mode: 'exclusive', maxSessions: 1 } as const;
    const fake = open(withSessions(config, settings));
    await fake.sessions.acquire('a', 'one');
    const second = fake.sessions.acquire('b', 'one', { deadlineMs: 300_000 });
    await turn();
    fake.configure(withSessions(config, { ...settings, maxSessions: 5 }));
    await second;
  });

  it('keeps its place for as long as its process may take to end', async () => {
    const slow = withSessions(config, { mode: 'exclusive', maxSessions: 1 });
    const fake = open({ ...slow, panel: { ...slow.panel, stopGraceMs: 12_000 } });
    const lease = await fake.sessions.acquire('a', 'one');
    const stopped = createDeferred<void>();
    fake.instances[0]!.stopGate = stopped.promise;
    const evicted = fake.sessions.evict('one', lease.generation);
    const next = fake.sessions.acquire('a', 'one');
    // The time covers the end of stdin, SIGTERM, and SIGTERM again to what left the group of the process.
    await fake.clock.advance(12_000 + 5000 + 5000 + 1000);
    expect(fake.instances).toHaveLength(1);
    stopped.resolve();
    await evicted;
    expect(fake.notices).toEqual([]);
    await next;
  });

  it('gives its place up when the end of its process hangs', async () => {
    const fake = open(withSessions(config, { mode: 'exclusive', maxSessions: 1 }));
    const lease = await fake.sessions.acquire('a', 'one');
    const stopped = createDeferred<void>();
    fake.instances[0]!.stopGate = stopped.promise;
    const evicted = fake.sessions.evict('one', lease.generation);
    await fake.clock.advance(60_000);
    await evicted;
    expect(fake.notices).toEqual([expect.stringContaining('teardown-late')]);
    await fake.sessions.acquire('a', 'one');
    expect(fake.instances.map(({ name }) => name)).toEqual(['one#2', 'one#3']);
    stopped.resolve();
  });

  it('is refused, and leaves no process, when the server is stopped in the same moment', async () => {
    const fake = open(exclusive);
    await fake.server.start();
    const outcome = codeOf(fake.sessions.acquire('a', 'one'));
    await fake.stop();
    expect(fake.instances.filter(({ stateKind }) => stateKind !== 'stopped')).toEqual([]);
    expect(await outcome).toBe('STOPPED');
    await turn();
    expect(fake.instances.filter(({ stateKind }) => stateKind !== 'stopped')).toEqual([]);
    expect(fake.server).toMatchObject({ stateKind: 'stopped', starts: 1 });
  });

  it('is refused to who waits for room when the server is stopped, and does not start it again', async () => {
    const fake = open(withSessions(config, { mode: 'exclusive', maxSessions: 1 }));
    await fake.sessions.acquire('a', 'one');
    const outcome = codeOf(fake.sessions.acquire('b', 'one'));
    await turn();
    const ended = createDeferred<void>();
    fake.instances[0]!.stopGate = ended.promise;
    const stopped = fake.stop();
    await turn();
    expect(fake.server.stateKind).toBe('stopped');
    ended.resolve();
    await stopped;
    expect(await outcome).toBe('STOPPED');
    expect(fake.server).toMatchObject({ stateKind: 'stopped', starts: 1 });
    expect(fake.instances).toHaveLength(1);
  });

  it('goes to who waits for room when the server is restarted', async () => {
    const fake = open(withSessions(config, { mode: 'exclusive', maxSessions: 1 }));
    await fake.sessions.acquire('a', 'one');
    const waiting = fake.sessions.acquire('b', 'one');
    await turn();
    await fake.sessions.endFurther('one');
    await waiting;
  });

  it('goes to who waits for its process to start when the server is restarted by hand', async () => {
    const fake = open(exclusive, true);
    await fake.server.start();
    const waiting = fake.sessions.acquire('a', 'one');
    await turn();
    fake.server.supersedeStart(); // Sessions wait for the restart of the server itself, too.
    fake.server.connection = undefined;
    await fake.sessions.endFurther('one');
    await turn();
    expect(fake.instances).toHaveLength(1);
    fake.server.becomeReady();
    await turn();
    expect(fake.instances).toHaveLength(2);
    fake.instances[1]!.becomeReady();
    await waiting;
  });

  it('starts no server that was stopped while its process started', async () => {
    const fake = open(exclusive, true);
    await fake.server.start();
    const waiting = codeOf(fake.sessions.acquire('a', 'one'));
    await turn();
    await fake.server.stop();
    await fake.sessions.endFurther('one');
    expect(await waiting).toBe('STOPPED');
    expect(fake.server).toMatchObject({ stateKind: 'stopped', starts: 1 });
  });

  it('is not had by who waits for it when the server is reached differently meanwhile', async () => {
    const fake = open(exclusive, true);
    await fake.server.start();
    const waiting = codeOf(fake.sessions.acquire('a', 'one'));
    await turn();
    fake.configure({ ...exclusive, args: ['--other'] });
    expect(await waiting).toBe('STOPPED');
  });
});

describe('the link of a session', () => {
  it('knows who has ever called, also in a later session, and wishes for logs until it ends', async () => {
    const fake = open(config);
    const [ana, ben] = await Promise.all([
      fake.sessions.acquire('ana', 'one'),
      fake.sessions.acquire('ben', 'one'),
    ]);
    const protocol = fake.server.connection!;
    const gate = createDeferred<Record<string, unknown>>();
    protocol.answer = gate.promise;
    const calls = [ana.request('tools/call', {}), ben.request('tools/call', {})];
    const own = ana.connection.request('tools/list', {});
    const { callers } = ana.connection;
    expect([callers.includeOther('ana'), callers.includeOther('ben')]).toEqual([true, true]);
    gate.resolve({});
    await Promise.all([...calls, own]);
    ana.connection.wantLogLevel('error');
    await turn();
    const enough = ben.connection.wantLogLevel('debug');
    await turn();
    enough();
    await turn();
    await fake.sessions.evict('one', ana.generation);
    // The connection lives on, and a wish of the ended session counts no more.
    protocol.logLevel.want('emergency');
    await turn();
    expect(protocol.levels).toEqual(['error', 'debug', 'error', 'emergency']);
    ana.connection.wantLogLevel('debug');
    await turn();
    expect(protocol.levels).toHaveLength(4);
    // The next session is another link over the same connection, of which the server may still speak.
    const next = await fake.sessions.acquire('ben', 'one');
    expect(next.connection).not.toBe(ana.connection);
    expect(next.connection.callers.includeOther('ben')).toBe(true);
  });
});

describe('a session of a named slot', () => {
  const vision = exclusiveSlot('vision', { sampling: {} });

  it('is one further process for all who name it, which declares what the slot says', async () => {
    const fake = open(withSessions(config, { maxSessions: 2, idleTimeoutMs: 60_000 }));
    const [a, b] = [
      await fake.sessions.acquire('a', 'one', { slot: vision }),
      await fake.sessions.acquire('b', 'one', { slot: vision }),
    ];
    expect(b.connection).toBe(a.connection);
    const own = await fake.sessions.acquire('a', 'one', { slot: ownSlot });
    expect(fake.instances.map(({ name }) => name)).toEqual(['one#2']);
    expect(fake.instances[0]?.clientCapabilities).toEqual({ sampling: {} });
    expect(fake.sessions.view('one').sessions).toMatchObject([
      {
        generation: a.generation,
        mode: 'exclusive',
        instance: 'one#2',
        leases: [{ contextId: 'a' }, { contextId: 'b' }],
      },
      { generation: own.generation, mode: 'shared', instance: 'one', leases: [{ contextId: 'a' }] },
    ]);
    const late = fake.sessions.acquire('c', 'one', { slot: exclusiveSlot('spare'), deadlineMs: 1000 });
    const outcome = codeOf(late);
    await fake.clock.advance(1000);
    expect(await outcome).toBe('POOL_EXHAUSTED');
    await expectNothingLeft(fake);
    expect(fake.instances[0]?.stateKind).toBe('stopped');
  });

  it('serves beside the own process of a server that does not answer', async () => {
    const fake = open(config);
    await fake.sessions.acquire('a', 'one');
    fake.server.connection!.answer = new Promise(() => undefined);
    fake.server.enter('stalled');
    const spare = await fake.sessions.acquire('a', 'one', { slot: exclusiveSlot('spare') });
    expect(await spare.request('tools/call', {})).toEqual({});
    expect(fake.server).toMatchObject({ starts: 1, stops: 0 });
  });
});

describe('a server that a person stopped', () => {
  const stoppedByHand = async () => {
    const fake = open(config);
    await fake.server.start();
    await fake.stop();
    return fake;
  };

  it.each([false, 'unless-stopped'] as const)('stays stopped for who may start it: %s', async (mayStart) => {
    const fake = await stoppedByHand();
    await expect(fake.sessions.acquire('a', 'one', { mayStart })).rejects.toMatchObject({
      code: 'STOPPED',
      message: 'one was stopped.',
      remedy: 'Start it in MCP Control Panel.',
    });
    expect(fake.server.starts).toBe(1);
    await fake.server.start();
    await fake.sessions.acquire('a', 'one', { mayStart });
  });

  it('is refused at once while its stop is under way, and to who waits when it begins', async () => {
    const fake = open(config);
    const gate = createDeferred<void>();
    fake.server.isParked = true;
    const started = fake.server.start().catch(() => undefined);
    const waiting = codeOf(fake.sessions.acquire('a', 'one', { mayStart: false }));
    await turn();
    fake.server.stopGate = gate.promise;
    const stopping = fake.stop();
    expect(await waiting).toBe('STOPPED');
    expect(fake.server.stateKind).toBe('stopping');
    expect(await codeOf(fake.sessions.acquire('a', 'one', { mayStart: 'unless-stopped' }))).toBe('STOPPED');
    gate.resolve();
    await Promise.all([started, stopping]);
  });
});

describe('a server that was never started', () => {
  it('is started on demand unless that is forbidden', async () => {
    const fake = open(config);
    await expect(fake.sessions.acquire('a', 'one', { mayStart: false })).rejects.toMatchObject({
      code: 'STOPPED',
      message: 'one was not started.',
    });
    expect(fake.server.starts).toBe(0);
    await fake.sessions.acquire('a', 'one', { mayStart: 'unless-stopped' });
    expect(fake.server.starts).toBe(1);
  });

  it('is waited for by who may not start it while somebody else does', async () => {
    const fake = open(config);
    fake.server.isParked = true;
    const [starts, waits] = [
      fake.sessions.acquire('a', 'one'),
      fake.sessions.acquire('b', 'one', { mayStart: false }),
    ];
    await turn();
    fake.server.becomeReady();
    await starts;
    await waits;
  });
});

describe('a look at a session', () => {
  it('gives a lease where a session is open, and nothing else: no wait, no start', async () => {
    const fake = open(config);
    expect(fake.sessions.tryAcquire('a', 'one')).toBeUndefined();
    const first = await fake.sessions.acquire('a', 'one');
    const looked = fake.sessions.tryAcquire('b', 'one')!;
    expect(looked.generation).toBe(first.generation);
    expect(await looked.request('tools/call', {})).toEqual({});
    expect(fake.sessions.tryAcquire('b', 'one', exclusiveSlot('vision'))).toBeUndefined();
    fake.server.crash();
    // Every step is looked at because the news of an end goes from the connection to the session in steps.
    for (let step = 0; step < 5; step += 1) {
      await Promise.resolve();
      const late = fake.sessions.tryAcquire('b', 'one');
      expect(late?.hasEnded ?? false).toBe(false);
      await late?.release();
    }
    await turn();
    expect(fake.sessions.tryAcquire('b', 'one')).toBeUndefined();
    expect(() => fake.sessions.tryAcquire('b', 'nobody')).toThrowError(
      expect.objectContaining({ code: 'SERVER_UNKNOWN' }) as Error,
    );
  });

  it('asks for no hash: the configuration is read once for all calls', async () => {
    let reads = 0;
    const counted = new Proxy(config, {
      get: (target, name, receiver) => {
        if (name === 'env') reads += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const fake = open(counted);
    await fake.sessions.acquire('a', 'one');
    const readsOnce = reads;
    expect(readsOnce).toBeGreaterThan(0);
    for (let call = 0; call < 10; call += 1) {
      await fake.sessions.tryAcquire('a', 'one')?.release();
      await (await fake.sessions.acquire('a', 'one')).release();
    }
    expect(reads).toBe(readsOnce);
  });
});

describe('the link of a lease', () => {
  const answers: AnswerRequest = () => Promise.resolve({});

  it('is one per session: it greets, tells and hears, and counts for nobody', async () => {
    const fake = open(config);
    const [a, b] = [await fake.sessions.acquire('a', 'one'), await fake.sessions.acquire('b', 'one')];
    const { connection: link } = a;
    expect(b.connection).toBe(link);
    expect(link.hasEnded).toBe(false);
    expect(link.greeting.serverInfo.name).toBe('fake');
    const heard: string[] = [];
    const leave = link.onNotification(({ method }) => heard.push(method));
    const { connection } = fake.server;
    connection!.notified.emit({ method: 'first' });
    leave();
    leave();
    connection!.notified.emit({ method: 'second' });
    expect(heard).toEqual(['first']);
    await link.notify('notifications/roots/list_changed');
    expect(connection!.told).toEqual(['notifications/roots/list_changed']);
    await link.request('tools/list', {});
    expect(fake.sessions.view('one').sessions[0]?.leases[0]).not.toHaveProperty('lastUseAt');
  });

  it('lets go of a connection that lives on without its session, for the next one to have', async () => {
    const fake = open(config);
    const former = await fake.sessions.acquire('a', 'one');
    const { connection } = fake.server;
    former.connection.onRequest(answers);
    former.connection.onNotification(() => undefined);
    expect(() => former.connection.onRequest(answers)).toThrow();
    await fake.sessions.evict('one', former.generation);
    expect(connection).toMatchObject({ owner: undefined, notified: { size: 0 } });
    const next = await fake.sessions.acquire('a', 'one');
    expect(next.generation).toBeGreaterThan(former.generation);
    next.connection.onRequest(answers);
    // An ended link hears and owns nothing.
    former.connection.onRequest(answers);
    former.connection.onNotification(() => undefined);
    expect(connection!.notified.size).toBe(0);
    expect(await codeOf(former.connection.request('tools/call', {}))).toBe('SESSION_CLOSED');
    expect(await codeOf(former.connection.notify('notifications/initialized'))).toBe('SESSION_CLOSED');
    expect(connection).toMatchObject({ asked: [], told: [] });
  });
});

describe('a server that sleeps', () => {
  const asleep = (served = config) => {
    const fake = open(served);
    fake.server.enter('asleep');
    return fake;
  };

  it.each(['wake', 'unless-stopped', true] as const)(
    'is woken by a use that may start it: %s',
    async (mayStart) => {
      const fake = asleep();
      await fake.sessions.acquire('a', 'one', { mayStart });
      expect(fake.server.starts).toBe(1);
    },
  );

  it('is not woken by a session that only waits for its return, nor by a question of the panel', async () => {
    const fake = asleep();
    const refused = { code: 'STOPPED', message: 'one is asleep.' };
    await expect(fake.sessions.acquire('a', 'one', { mayStart: false })).rejects.toMatchObject(refused);
    const { signal } = new AbortController();
    await expect(fake.sessions.ownConnection('one', signal)).rejects.toMatchObject(refused);
    expect(fake.server.starts).toBe(0);
  });

  it('is woken for a process of a client alone, which need not wait for it', async () => {
    const fake = asleep(exclusive);
    fake.server.isParked = true;
    await fake.sessions.acquire('a', 'one', { mayStart: 'wake' });
    expect([fake.server.starts, fake.sessions.further('one').length]).toEqual([1, 1]);
    fake.server.becomeReady();
  });

  it('is waited for while it falls asleep, and then woken', async () => {
    const fake = open(config);
    fake.server.enter('stopping');
    const lease = fake.sessions.acquire('a', 'one', { mayStart: 'wake' });
    await turn();
    expect(fake.server.starts).toBe(0);
    fake.server.enter('asleep');
    await lease;
    expect(fake.server.starts).toBe(1);
  });

  it('is the only kind that the narrowest permission starts', async () => {
    const fake = open(config);
    expect(await codeOf(fake.sessions.acquire('a', 'one', { mayStart: 'wake' }))).toBe('STOPPED');
    expect(fake.server.starts).toBe(0);
  });
});
