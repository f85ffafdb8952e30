import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noRoom, type LeaseHolder, type LeaseUse } from '../../../electron/core/sessions/lease-holder.ts';
import { Harness, IDLE_MS, stdioConfig, turn, withSessions } from './fake-servers.ts';

const two = withSessions(stdioConfig('a'), { maxSessions: 2 });

let t: Harness;
beforeEach(() => {
  t = new Harness();
});
afterEach(() => t.expectNothingLeft());

/** Who holds a lease for long; the test says what it does. */
function holding(holder: string) {
  const use: { -readonly [K in keyof LeaseUse]: LeaseUse[K] } = {
    holder,
    isCalling: false,
    isListening: false,
    quietMs: 0,
  };
  const state = { losses: 0 };
  const asHolder: LeaseHolder = {
    caller: holder,
    use: () => use,
    givenUp: () => void (state.losses += 1),
  };
  const acquire = (deadlineMs?: number) =>
    t.acquire(holder, two, {
      mode: 'exclusive',
      holder: asHolder,
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
  return { use, state, acquire };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error as { code: string; message: string },
  );

describe('a place whose holder keeps it without a call', () => {
  it('is given up at once when somebody waits and the holder listens to nothing, and the holder is told', async () => {
    const [ana, ben, cleo] = [holding('ana'), holding('ben'), holding('cleo')];
    const lost = await ana.acquire();
    await ben.acquire();
    ana.use.quietMs = 2;
    ben.use.quietMs = 1;
    await cleo.acquire();
    await turn();
    expect([ana.state.losses, ben.state.losses]).toEqual([1, 0]);
    await lost.connection.closed;
    expect(t.connects).toBe(3);
  });

  it('is kept while the holder listens, and the newcomer is refused at once in words, not after its wait', async () => {
    const [ana, ben, cleo] = [holding('cursor'), holding('codex'), holding('cleo')];
    for (const one of [ana, ben]) {
      await one.acquire();
      one.use.isListening = true;
    }
    ana.use.quietMs = IDLE_MS - 1;
    const refused = await refusal(cleo.acquire(600_000));
    expect(refused).toMatchObject({
      code: 'POOL_EXHAUSTED',
      message: '2 of 2 processes of "a" in use, idle longest: cursor, 0 s: raise maxSessions or end it.',
    });
    expect([ana.state.losses, ben.state.losses]).toEqual([0, 0]);
  });

  it('is given up by who only listens once it has made no call for the idle time', async () => {
    const [ana, ben, cleo] = [holding('ana'), holding('ben'), holding('cleo')];
    for (const one of [ana, ben]) {
      await one.acquire();
      one.use.isListening = true;
    }
    ana.use.quietMs = IDLE_MS;
    await cleo.acquire();
    expect([ana.state.losses, ben.state.losses]).toEqual([1, 0]);
  });
});

it.each([
  [59_999, '59 s'],
  [200_000, '3 min'],
])('a refusal says how long the holder made no call: %i ms', (idleMs, words) => {
  const { message } = noRoom('one', { kind: 'kept', holder: 'cursor', idleMs }, 10);
  expect(message).toContain(`10 of 10 processes of "one" in use, idle longest: cursor, ${words}: `);
});

describe('a place whose holder is in a call', () => {
  it('is waited for, first come first served, and taken as soon as the call is over', async () => {
    const [ana, ben, cleo, dan] = [holding('ana'), holding('ben'), holding('cleo'), holding('dan')];
    for (const one of [ana, ben]) {
      await one.acquire();
      one.use.isCalling = true;
    }
    const order: string[] = [];
    const waiting = [cleo, dan].map(async (one) => {
      const lease = await one.acquire();
      order.push(lease.contextId);
      one.use.isCalling = true;
    });
    await t.clock.advance(10_000);
    expect(order).toEqual([]);
    ben.use.isCalling = false;
    await t.clock.advance(100);
    expect(order).toEqual(['cleo']);
    ana.use.isCalling = false;
    await t.clock.advance(100);
    await Promise.all(waiting);
    expect(order).toEqual(['cleo', 'dan']);
  });

  it('is not given to a newcomer whose deadline comes first', async () => {
    const [ana, ben, cleo] = [holding('ana'), holding('ben'), holding('cleo')];
    for (const one of [ana, ben]) {
      await one.acquire();
      one.use.isCalling = true;
      one.use.isListening = true;
    }
    const waiting = refusal(cleo.acquire(5000));
    await t.clock.advance(5000);
    expect(await waiting).toMatchObject({ code: 'POOL_EXHAUSTED' });
    expect(ana.state.losses + ben.state.losses).toBe(0);
  });

  it('is refused as soon as the last call is over where all go on to listen', async () => {
    const [ana, ben, cleo] = [holding('ana'), holding('ben'), holding('cleo')];
    for (const one of [ana, ben]) {
      await one.acquire();
      one.use.isCalling = true;
      one.use.isListening = true;
    }
    const waiting = refusal(cleo.acquire(600_000));
    await t.clock.advance(1000);
    ana.use.isCalling = ben.use.isCalling = false;
    await t.clock.advance(100);
    expect(await waiting).toMatchObject({ code: 'POOL_EXHAUSTED' });
  });
});
