import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { serverKey } from '../../../electron/core/config/server-key.ts';
import { SessionManager, type AcquireOptions } from '../../../electron/core/sessions/session-manager.ts';
import { createFakeClock } from '../fake-clock.ts';
import { CLOSE_MS, FakeConnection, Harness, IDLE_MS, SWEEP_MS, stdioConfig, turn } from './fake-servers.ts';

const a = stdioConfig('a');
const b = stdioConfig('b');
const exclusive = { mode: 'exclusive' } as const;
/** Options that a caller without types may pass. */
const untyped = (options: object) => options as AcquireOptions;

const open = (...options: ConstructorParameters<typeof Harness>) => {
  const harness = new Harness(...options);
  onTestFinished(() => harness.expectNothingLeft());
  return harness;
};

let t: Harness;
beforeEach(() => {
  t = open();
});

describe('connecting', () => {
  it('counts the deadline from the call, over waiting and connecting', async () => {
    t.servers.isParked = true;
    const early = t.outcome('one', a, { deadlineMs: 100 });
    await t.clock.advance(60);
    const late = t.outcome('two', a, { deadlineMs: 100 });
    await t.clock.advance(40);
    expect(await early).toBe('START_TIMEOUT');
    expect(t.servers.attempt(0).signal.aborted).toBe(false);
    t.servers.attempt(0).succeed();
    expect(await late).toBe('leased');
    expect(t.connects).toBe(1);
  });

  it('takes a deadline of 0 as "only if it is there", and refuses one that is none', async () => {
    const lease = await t.acquire('one', a);
    expect((await t.acquire('two', a, { deadlineMs: 0 })).generation).toBe(lease.generation);
    t.servers.isParked = true;
    const missed = t.outcome('one', b, { deadlineMs: 0 });
    await t.clock.advance(0);
    expect(await missed).toBe('START_TIMEOUT');
    for (const deadlineMs of [Number.NaN, -1, null, '5', true, {}]) {
      expect(await t.outcome('one', b, untyped({ deadlineMs }))).toBe('CONFIG_INVALID');
    }
    expect(await t.outcome('two', a, untyped({ deadlineMs: undefined }))).toBe('leased');
  });
});

describe('idle sessions', () => {
  it('count from the end of a request that no sweep ever saw', async () => {
    const lease = await t.acquire('one', a);
    lease.connection.pendingRequests = 1;
    await lease.release();
    await t.clock.advance(SWEEP_MS - 1);
    lease.connection.pendingRequests = 0;
    await t.clock.advance(IDLE_MS + 1 - SWEEP_MS);
    await t.clock.advance(SWEEP_MS - 1);
    expect(lease.connection.closeCalls).toBe(0);
    await t.clock.advance(1);
    expect(lease.connection.closeCalls).toBe(1);
  });

  it('are swept again after a sweep that failed', async () => {
    const [odd, fine] = [await t.acquire('one', a), await t.acquire('one', b)];
    await Promise.all([odd.release(), fine.release()]);
    let throws = true;
    Object.defineProperty(odd.connection, 'pendingRequests', {
      get: () => {
        if (throws) throw new Error('no answer');
        return 0;
      },
    });
    await t.clock.advance(IDLE_MS + SWEEP_MS);
    expect([odd.connection.closeCalls, fine.connection.closeCalls]).toEqual([0, 1]);
    expect(t.warnings[0]).toMatchObject({ kind: 'idle-check-failed', key: odd.key });
    throws = false;
    await t.clock.advance(IDLE_MS + 2 * SWEEP_MS);
    expect(odd.connection.closeCalls).toBe(1);
  });
});

describe('a full pool', () => {
  let pool: Harness;
  beforeEach(() => {
    pool = open({ maxSessions: 2 });
  });

  /** Connects that take room now: begun and not torn down. */
  const live = () =>
    pool.servers.attempts.filter(({ connection, signal }) => connection.closeCalls === 0 && !signal.aborted);

  it('gives who waits one new window when we ourselves were absent, and no third one', async () => {
    const one = await pool.acquire('one', a, exclusive);
    const two = await pool.acquire('two', a, exclusive);
    const lucky = pool.outcome('three', a, { ...exclusive, deadlineMs: 2000 });
    const unlucky = pool.outcome('four', a, { ...exclusive, deadlineMs: 2000 });
    await pool.clock.advance(1500);
    pool.clock.jump(60_000);
    await pool.clock.advance(1500);
    await one.release();
    expect(await lucky).toBe('leased');
    await pool.clock.advance(1000);
    expect(await unlucky).toBe('POOL_EXHAUSTED');
    await two.release();
  });

  it('ends the least recently used idle session, none in use, and no more than needed', async () => {
    pool = open({ maxSessions: 3 });
    const [used, older, newer] = [
      await pool.acquire('used', a, exclusive),
      await pool.acquire('older', a, exclusive),
      await pool.acquire('newer', a, exclusive),
    ];
    await older.release();
    await pool.clock.advance(10);
    await newer.release();
    await pool.clock.advance(10);
    await pool.acquire('four', a, exclusive);
    expect([used, older, newer].map((lease) => lease.connection.closeCalls)).toEqual([0, 1, 0]);
    await pool.acquire('five', a, exclusive);
    expect([used, older, newer].map((lease) => lease.connection.closeCalls)).toEqual([0, 1, 1]);
    expect(live()).toHaveLength(3);
  });
});

describe('a teardown that hangs', () => {
  it('is reported when it fails, and frees the key', async () => {
    const lease = await t.acquire('one', a);
    const error = new Error('no close');
    lease.connection.close = () => Promise.reject(error);
    await t.manager.invalidate(lease.key, lease.generation, new Error('bad'));
    lease.connection.crash();
    expect(t.manager.size).toBe(0);
    expect(t.warnings).toEqual([
      { kind: 'teardown-failed', error, key: lease.key, generation: lease.generation },
    ]);
  });
});

describe('close', () => {
  it('is bounded when a teardown and a connect hang', async () => {
    t.servers.ignoresAbort = true;
    const lease = await t.acquire('one', a);
    lease.connection.closeGate = new Promise(() => {});
    t.servers.isParked = true;
    const waiting = t.outcome('one', b);
    await turn();
    let isClosed = false;
    const closing = t.manager.close().then(() => (isClosed = true));
    expect(await waiting).toBe('MANAGER_CLOSED');
    await t.clock.advance(CLOSE_MS - 1);
    expect(isClosed).toBe(false);
    await t.clock.advance(1);
    await closing;
    expect(t.manager.size).toBe(0);
    expect(t.clock.pending).toBe(0);
    // The connection comes after all.
    t.servers.attempt(1).succeed();
    await turn();
    expect(t.servers.attempt(1).connection.closeCalls).toBe(1);
  });
});

describe('calls from within connect and close', () => {
  it('get their turn when the change under way is complete', async () => {
    const clock = createFakeClock();
    const inner: Promise<unknown>[] = [];
    const manager: SessionManager = new SessionManager({
      clock,
      maxSessions: 1,
      connect: (config, signal) => {
        if (inner.length < 2) {
          inner.push(manager.acquire('inner', config), manager.acquire('aborted', config, { signal }));
          inner.push(manager.invalidate(serverKey(config), 99, new Error('unknown')));
        }
        return Promise.resolve(new FakeConnection());
      },
    });
    const outer = await manager.acquire('outer', a);
    const leases = (await Promise.all(inner)) as (typeof outer)[];
    expect(leases[0]!.generation).toBe(outer.generation);
    await manager.close();
    expect(manager.size).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
