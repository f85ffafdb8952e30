import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SessionManager } from '../../../electron/core/sessions/session-manager.ts';
import { serverKey } from '../../../electron/core/config/server-key.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { createFakeClock } from '../fake-clock.ts';
import { exclusiveSlot, type Slot } from '../../../electron/core/sessions/session-policy.ts';
import { FakeConnection, type FakeLease, stdioConfig, turn, withSessions } from './fake-servers.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const MAX_SESSIONS = 2;
const IDLE_MS = 1000;
const SWEEP_MS = 300;

const onlyShared = stdioConfig('only shared');
const onlyExclusive = withSessions(stdioConfig('only exclusive'), { mode: 'exclusive' });
const mixed = stdioConfig('mixed');

const target = fc.constantFrom<{ config: ServerConfig; mode?: 'shared' | 'exclusive'; slot?: Slot }>(
  { config: onlyShared },
  { config: onlyExclusive },
  { config: mixed, mode: 'shared' },
  { config: mixed, mode: 'exclusive' },
  { config: mixed, slot: exclusiveSlot('vision') },
);
const index = fc.nat({ max: 1000 });

/** Next step; `index` picks one of the leases, callers or connections so far. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('acquire' as const),
      target,
      context: fc.constantFrom('one', 'two', 'three', 'four'),
      deadlineMs: fc.option(fc.constantFrom(0, 50, 2000), { nil: undefined }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('release' as const), index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('giveUp' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('invalidate' as const), index }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('configure' as const),
      target,
      maxSessions: fc.integer({ min: 1, max: MAX_SESSIONS }),
      idleTimeoutMs: fc.constantFrom(50, 5000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('request' as const), index, count: fc.nat({ max: 1 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(1, 50, 300, 1500) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  // Without a turn, several things happen in one turn of the event loop.
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
);

type Target = typeof target extends fc.Arbitrary<infer T> ? T : never;
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Plan of how one connect and its connection behave. */
interface Plan {
  readonly fails: boolean;
  readonly ignoresAbort: boolean;
  readonly closeFails: boolean;
}

/** World that remembers what was asked of it, and checks at every moment what must always hold. */
class World {
  readonly clock = createFakeClock();
  readonly manager: SessionManager;
  readonly connections: FakeConnection[] = [];
  readonly leases: FakeLease[] = [];
  readonly callers: { controller: AbortController; outcome: Promise<void>; isSettled: boolean }[] = [];
  readonly #scheduler: fc.Scheduler;
  readonly #plans: readonly Plan[];
  readonly #released = new Set<FakeLease>();
  /** Connections whose end was asked for by the test, so that leases do not protect them. */
  readonly #condemned = new Set<FakeConnection>();
  readonly #byGeneration = new Map<number, FakeConnection>();
  readonly #live = new Map<string, number>();
  /** Connections by key whose close was not asked for. */
  readonly #usable = new Map<string, number>();
  /** Whether teardowns may be given up, so that for a while there are more connections than sessions. */
  readonly #hangs: boolean;
  /**
   * Violations found. Thrown inside a connect or close, a failed check would only look like trouble of the
   * server.
   */
  readonly #violations: unknown[] = [];
  #connects = 0;
  isClosed = false;

  constructor(scheduler: fc.Scheduler, plans: readonly Plan[], closeTimeoutMs: number) {
    this.#scheduler = scheduler;
    this.#plans = plans;
    this.manager = new SessionManager({
      connect: (config, signal) => this.#connect(config, signal),
      clock: this.clock,
      idleTimeoutMs: IDLE_MS,
      sweepIntervalMs: SWEEP_MS,
      maxSessions: MAX_SESSIONS,
      closeTimeoutMs,
    });
    this.#hangs = closeTimeoutMs < IDLE_MS;
  }

  async perform(step: Step): Promise<void> {
    switch (step.kind) {
      case 'acquire':
        return this.#acquire(step.context, step.target, step.deadlineMs);
      case 'release':
        return this.#release(pick(this.leases, step.index));
      case 'giveUp':
        return pick(this.callers, step.index)?.controller.abort();
      case 'crash':
        return this.#crash(pick(this.connections, step.index));
      case 'invalidate':
        return this.#invalidate(pick(this.leases, step.index));
      case 'configure':
        return this.#configure(step.target.config, step.maxSessions, step.idleTimeoutMs);
      case 'request': {
        const connection = pick(this.leases, step.index)?.connection;
        if (connection) connection.pendingRequests = step.count;
        return;
      }
      case 'advance':
        return this.clock.advance(step.ms);
      case 'settle':
        if (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
        return;
      case 'turn':
        await turn();
    }
  }

  /**
   * Winds everything up: everybody gives back what they have, and everything that is under way gets to its
   * end.
   */
  async wind(): Promise<void> {
    for (const connection of this.connections) connection.pendingRequests = 0;
    for (let round = 0; round < 50; round++) {
      while (this.#scheduler.count() > 0) await this.#scheduler.waitOne();
      for (const lease of this.leases) this.#release(lease);
      await turn();
      await this.clock.advance(IDLE_MS);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const closing = this.manager.close();
    expect(this.manager.close()).toBe(closing);
    await this.wind();
    await closing;
  }

  expectEnd(): void {
    if (this.#violations.length > 0) throw this.#violations[0];
    expect(this.callers.filter(({ isSettled }) => !isSettled)).toEqual([]);
    expect(this.manager.size).toBe(0);
    expect(this.clock.pending).toBe(0);
    expect(this.connections.filter(({ closeCalls }) => closeCalls !== 1)).toEqual([]);
    expect([...this.#live.values()].filter((count) => count !== 0)).toEqual([]);
  }

  #acquire(context: string, { config, mode, slot }: Target, deadlineMs?: number): void {
    const controller = new AbortController();
    const options = {
      signal: controller.signal,
      ...(mode ? { mode } : {}),
      slot,
      ...(deadlineMs === undefined ? {} : { deadlineMs }),
    };
    const outcome = this.manager.acquire(context, config, options).then(
      (lease) => this.#leased(lease as FakeLease),
      (error: unknown) => this.#refused(error),
    );
    const caller = { controller, outcome, isSettled: false };
    this.callers.push(caller);
    void outcome.then(() => (caller.isSettled = true));
  }

  #leased(lease: FakeLease): void {
    const { connection, generation } = lease;
    this.leases.push(lease);
    this.#check(() => expect(this.#byGeneration.get(generation) ?? connection).toBe(connection));
    this.#byGeneration.set(generation, connection);
    if (connection.closeCalls === 0) return;
    this.#check(() => expect(this.isClosed || this.#condemned.has(connection)).toBe(true));
  }

  #refused(error: unknown): void {
    const { code, message } = error as { code?: string; message: string };
    const expected = [
      'CANCELLED',
      'POOL_EXHAUSTED',
      'START_TIMEOUT',
      ...(this.isClosed ? ['MANAGER_CLOSED'] : []),
    ];
    if (message !== 'refused') this.#check(() => expect(expected).toContain(code));
  }

  #release(lease: FakeLease | undefined): void {
    if (!lease) return;
    this.#released.add(lease);
    void lease.release();
  }

  #crash(connection: FakeConnection | undefined): void {
    if (!connection) return;
    this.#condemned.add(connection);
    connection.crash();
  }

  /** Invalidates a lease, also of sessions that ended long ago. */
  #invalidate(lease: FakeLease | undefined): void {
    if (!lease) return;
    this.#condemned.add(lease.connection);
    void this.manager.invalidate(lease.key, lease.generation, new Error('invalid'));
  }

  #configure(config: ServerConfig, maxSessions: number, idleTimeoutMs: number): void {
    const sessions = { ...config.panel.sessions, maxSessions, idleTimeoutMs };
    void this.manager.configure({ ...config, panel: { ...config.panel, sessions } });
  }

  async #connect(config: ServerConfig, signal: AbortSignal): Promise<FakeConnection> {
    this.#check(() => expect(this.isClosed).toBe(false));
    const key = serverKey(config);
    const plan = this.#plans[this.#connects++ % this.#plans.length]!;
    this.#count(key, 1);
    this.#countUsable(key, 1);
    try {
      const begun = this.#scheduler.schedule(Promise.resolve(), 'connect');
      await (plan.ignoresAbort ? begun : Promise.race([begun, aborted(signal)]));
      if (plan.fails) throw new Error('refused');
    } catch (error) {
      this.#count(key, -1);
      this.#countUsable(key, -1);
      throw error;
    }
    const connection = new FakeConnection();
    connection.close = () => this.#close(connection, key, plan);
    this.connections.push(connection);
    return connection;
  }

  async #close(connection: FakeConnection, key: string, plan: Plan): Promise<void> {
    connection.closeCalls += 1;
    this.#countUsable(key, -1);
    if (!this.isClosed && !this.#condemned.has(connection)) {
      const held = this.leases.filter(
        (lease) => lease.connection === connection && !this.#released.has(lease),
      );
      this.#check(() => expect(held).toEqual([]));
      this.#check(() => expect(connection.pendingRequests).toBe(0));
    }
    await this.#scheduler.schedule(Promise.resolve(), 'close');
    this.#count(key, -1);
    connection.crash();
    if (plan.closeFails) throw new Error('no close');
  }

  #count(key: string, change: number): void {
    const count = (this.#live.get(key) ?? 0) + change;
    this.#live.set(key, count);
    if (!this.#hangs) this.#check(() => expect(count).toBeLessThanOrEqual(MAX_SESSIONS));
  }

  /**
   * Counts usable connections. All who share a server use the same one, whatever is still being closed beside
   * it.
   */
  #countUsable(key: string, change: number): void {
    const count = (this.#usable.get(key) ?? 0) + change;
    this.#usable.set(key, count);
    if (this.#hangs || key !== serverKey(onlyShared)) return;
    this.#check(() => expect(count).toBeLessThanOrEqual(1));
  }

  #check(assertion: () => void): void {
    try {
      assertion();
    } catch (error) {
      this.#violations.push(error);
    }
  }
}

function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % list.length];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const give = () => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give);
  });
}

const plan = fc.record({
  fails: fc.boolean(),
  ignoresAbort: fc.boolean(),
  closeFails: fc.boolean(),
});
const plans = fc.array(plan, { minLength: 1, maxLength: 8 });
const steps = fc.array(step, { maxLength: 60, size: 'max' });

describe('SessionManager, whatever happens in whatever order', () => {
  const NEVER_MS = 1_000_000_000;

  it('answers every caller, ends nothing in use, keeps to its limits and forgets what nobody uses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans, steps, async (scheduler, connectPlans, history) => {
        const world = new World(scheduler, connectPlans, NEVER_MS);
        for (const each of history) await world.perform(each);
        await world.wind();
        world.expectEnd();
      }),
      { numRuns: propertyRuns(150) },
    );
  }, 60_000);

  it('gives up hanging teardowns and still loses no caller and no connection', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), plans, steps, async (scheduler, connectPlans, history) => {
        const world = new World(scheduler, connectPlans, 40);
        for (const each of history) await world.perform(each);
        await world.wind();
        world.expectEnd();
      }),
      { numRuns: propertyRuns(75) },
    );
  }, 60_000);

  it('can be closed at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        plans,
        steps,
        steps,
        fc.constantFrom(40, NEVER_MS),
        async (scheduler, connectPlans, before, after, closeTimeoutMs) => {
          const world = new World(scheduler, connectPlans, closeTimeoutMs);
          for (const each of before) await world.perform(each);
          const closing = world.close();
          for (const each of after) await world.perform(each);
          await closing;
          await world.wind();
          world.expectEnd();
        },
      ),
      { numRuns: propertyRuns(75) },
    );
  }, 60_000);
});
