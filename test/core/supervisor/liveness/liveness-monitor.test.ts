import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProbeKind } from '../../../../electron/core/mcp/mcp-connection.ts';
import {
  ALONE_MS,
  CallHold,
  type ProvenKinds,
} from '../../../../electron/core/supervisor/liveness/probe-book.ts';
import { createFakeClock } from '../../fake-clock.ts';
import {
  INTERVAL,
  livenessBench,
  ROUND_TRIP_MS,
  stoppedProcess,
  T,
  type BenchOptions,
} from './liveness-bench.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

/** Server that has answered for a second, and is deaf from then on. */
async function deafBench(options?: BenchOptions) {
  const bench = livenessBench(options);
  await bench.pass(1000);
  bench.server.isDeaf = true;
  return { ...bench, deafAtMs: bench.clock.now() };
}

/** Passes time until the next question. */
async function untilAsked({ server, pass }: ReturnType<typeof livenessBench>) {
  const asked = server.asked.length;
  while (server.asked.length === asked) await pass(100);
}

describe('LivenessMonitor: healthy servers are left alone', () => {
  it('when they ignore ping and answer tools/list, which is then asked', async () => {
    const { pass, kinds, server } = livenessBench();
    server.answers = new Set(['tools/list']);
    await pass(100 * T);
    expect(kinds()).toEqual([]);
    expect(server.asked.filter((kind) => kind === 'ping')).toHaveLength(1);
    expect(server.asked.at(-1)).toBe('tools/list');
  });

  it('when the machine was asleep: it is asked first', async () => {
    const { clock, kinds, monitor, pass, server } = livenessBench();
    await pass(T);
    clock.jump(600_000);
    monitor.resumed();
    const asked = server.asked.length;
    await pass(5000);
    expect(server.asked.length).toBe(asked + 1);
    await pass(5 * T);
    expect(kinds()).toEqual([]);
  });

  it.each([
    ['wait for the question', true],
    ['leave beside it', false],
  ])('in every random history of calls, which %s, quiet and heartbeats', async (_how, holdsCalls) => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('call' as const),
        ms: fc.integer({ min: 1, max: 200_000 }),
        isBlocking: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('quiet' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
      fc.record({ kind: fc.constant('speak' as const), ms: fc.integer({ min: 1, max: 1000 }) }),
      fc.record({ kind: fc.constant('chatter' as const), ms: fc.integer({ min: 1, max: 200_000 }) }),
    );
    const probes = fc.subarray<ProbeKind>(['ping', 'tools/list']);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), probes, async (history, answered) => {
        const { pass, chatter, kinds, verdicts, server, monitor, call } = livenessBench({ holdsCalls });
        server.answers = new Set(answered);
        for (const event of history) {
          if (event.kind === 'speak') server.speak();
          if (event.kind === 'chatter') await chatter(event.ms);
          else if (event.kind !== 'call') await pass(event.ms);
          else {
            const id = await call();
            server.isBlocked = event.isBlocking;
            await pass(event.ms);
            server.answer(id);
          }
        }
        await pass(3 * T);
        expect(kinds()).not.toContain('stalled');
        expect(verdicts).not.toContainEqual({ kind: 'unknown', row: 9 });
        monitor.dispose();
      }),
      { numRuns: propertyRuns(150) },
    );
  });
});

describe('LivenessMonitor: hung servers are found', () => {
  it('deaf while idle: suspect at the threshold, found within two and a second of the probe', async () => {
    const deaf = await deafBench();
    const { clock, pass, verdicts } = deaf;
    await untilAsked(deaf);
    const probedAtMs = clock.now();
    while (verdicts.length === 0) await pass(100);
    expect(verdicts[0]).toMatchObject({ kind: 'suspect', row: 4 });
    expect(clock.now() - probedAtMs).toBeLessThanOrEqual(T + 1000);
    while (verdicts.length === 1) await pass(100);
    expect(verdicts[1]).toMatchObject({ kind: 'stalled', row: 4 });
    expect(clock.now() - probedAtMs).toBeLessThanOrEqual(2 * T + 1000);
  });

  it('deaf before a call that leaves beside its question: convicted when that call is overdue, whatever calls follow', async () => {
    const { clock, pass, kinds, verdicts, server, monitor, call } = livenessBench({ holdsCalls: false });
    await pass(2000);
    server.isDeaf = true;
    const calledAtMs = clock.now();
    while (!kinds().includes('stalled') && clock.now() - calledAtMs < 8 * T) {
      await call(3 * T);
      await pass(1000);
    }
    expect(verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 4 });
    // Patience is as long as with a call that no question went with.
    expect(clock.now() - calledAtMs).toBeGreaterThanOrEqual(5 * T);
    expect(clock.now() - calledAtMs).toBeLessThanOrEqual(5 * T + 2000);
    monitor.dispose();
  });

  it('deaf before a call that leaves a second after a question: the question had its moment', async () => {
    const deaf = await deafBench({ holdsCalls: false });
    const { clock, pass, kinds, verdicts, monitor, call } = deaf;
    await untilAsked(deaf);
    await pass(1000);
    const askedAtMs = clock.now();
    while (!kinds().includes('stalled') && clock.now() - askedAtMs < 3 * T) {
      await call();
      await pass(1000);
    }
    expect(verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 4 });
    expect(clock.now() - askedAtMs).toBeLessThanOrEqual(2 * T + 1000);
    monitor.dispose();
  });

  it('stalled, and no absence of ours makes it recover: only a message from it does', async () => {
    const { clock, pass, kinds, server } = await deafBench();
    while (!kinds().includes('stalled')) await pass(1000);
    clock.jump(600_000);
    await pass(20_000);
    expect(kinds()).toEqual(['suspect', 'stalled']);
    server.isDeaf = false;
    server.speak();
    await pass(5000);
    expect(kinds()).toEqual(['suspect', 'stalled', 'alive']);
  });

  it('stopped for good after it was limited like that: within ten seconds', async () => {
    const { clock, pass, verdicts, server, monitor } = livenessBench();
    await pass(1000);
    for (let second = 0; second < 30; second += 1) {
      monitor.observed({ stoppedServer: stoppedProcess(1, second) });
      await pass(1000);
    }
    server.isDeaf = true;
    const stoppedAtMs = clock.now();
    while (verdicts.length === 0 && clock.now() - stoppedAtMs < T) {
      monitor.observed({ stoppedServer: stoppedProcess(1, 30) });
      await pass(1000);
    }
    expect(verdicts[0]).toMatchObject({ kind: 'stalled', row: 2 });
    expect(clock.now() - stoppedAtMs).toBeLessThanOrEqual(12_000);
  });

  it('paused by the engine of its container: found as one stopped by a signal, and told as what it is', async () => {
    const { pass, verdicts, monitor } = await deafBench();
    for (let second = 0; second < 12; second += 1) {
      monitor.observed({ stoppedServer: { ...stoppedProcess(1, 30), by: 'engine' }, reachesOut: false });
      await pass(1000);
    }
    expect(verdicts).toMatchObject([
      { kind: 'stalled', row: 2, words: expect.stringContaining('paused by the engine') as unknown },
    ]);
  });

  it.each([
    ['while idle', false],
    ['in a call', true],
  ])(
    'stopped by a signal %s: within eleven seconds, whenever the next look comes, and after nine and a half',
    async (_when, isCalled) => {
      for (let stopAtMs = 1000; stopAtMs < 2000; stopAtMs += 50) {
        const { clock, pass, verdicts, server, dispose } = livenessBench({ seesTree: true });
        await pass(stopAtMs);
        if (isCalled) server.call();
        server.isDeaf = true;
        server.stopped = stoppedProcess(1);
        const stoppedAtMs = clock.now();
        while (verdicts.length === 0 && clock.now() - stoppedAtMs < T) await pass(25);
        expect(verdicts[0]).toMatchObject({ kind: 'stalled', row: 2 });
        expect(clock.now() - stoppedAtMs).toBeLessThanOrEqual(10_700);
        expect(clock.now() - stoppedAtMs).toBeGreaterThanOrEqual(9500);
        dispose();
      }
    },
  );

  it('held by a debugger: nothing is said while that lasts, nor for what it did not do meanwhile', async () => {
    const { pass, verdicts, kinds, monitor } = await deafBench();
    for (let second = 0; second < 300; second += 1) {
      monitor.observed({ isHeld: true });
      await pass(1000);
    }
    expect(kinds()).toEqual(['held']);
    await pass(T);
    expect(kinds()).not.toContain('stalled');
    // A debugger that let go, and a server that stays deaf.
    await pass(7 * INTERVAL + 2 * T);
    expect(verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 4 });
  });

  it('deaf on a machine on which we are late all the time: after three windows only our lateness is taken off', async () => {
    const { clock, pass, kinds, deafAtMs } = await deafBench();
    let lateMs = 0;
    while (!kinds().includes('stalled') && clock.now() - deafAtMs < 40 * T) {
      await pass(5000);
      clock.jump(2000);
      lateMs += 2000;
    }
    // An idle interval to the question, two thresholds, and the windows that were opened anew.
    expect(kinds()).toContain('stalled');
    expect(clock.now() - deafAtMs - lateMs).toBeLessThanOrEqual(6 * INTERVAL + 2 * T + 3 * 7000 + 7000);
  });

  it('deaf and computing on a machine on which we are late once in a threshold and a half: found all the same', async () => {
    const { clock, pass, kinds, server, deafAtMs } = await deafBench({ seesTree: true });
    server.cpuShare = 1;
    while (!kinds().includes('stalled') && clock.now() - deafAtMs < 900_000) {
      await pass(1.5 * T);
      clock.jump(2000);
    }
    expect(kinds()).toContain('stalled');
    expect(clock.now() - deafAtMs).toBeLessThanOrEqual(600_000);
  });

  it('not asked out of turn because we were late for a moment, unless it owes an answer', async () => {
    const { clock, pass, server } = livenessBench();
    await pass(1000);
    const asked = server.asked.length;
    clock.jump(T / 2);
    await pass(INTERVAL);
    expect(server.asked.length).toBe(asked);
    clock.jump(2 * T);
    await pass(INTERVAL);
    expect(server.asked.length).toBe(asked + 1);
  });

  it('suspect, and then found computing: it is given time for that', async () => {
    const { pass, verdicts, server } = await deafBench({ seesTree: true });
    while (verdicts.length === 0) await pass(100);
    server.cpuShare = 1;
    await pass(T / 2);
    expect(verdicts).toMatchObject([
      { kind: 'suspect', row: 4 },
      { kind: 'working', row: '4b' },
    ]);
  });

  it('deaf from its first moment, as an earlier run was not: its health is unknown, until the allowance is used up', async () => {
    const learnt: ProvenKinds = new Set();
    const first = livenessBench({ learnt });
    await first.pass(1000);
    first.monitor.dispose();
    const { pass, verdicts, monitor, server } = livenessBench({ learnt });
    server.isDeaf = true;
    await pass(9 * T);
    expect(verdicts).toEqual([{ kind: 'unknown', row: 4 }]);
    expect(monitor.answerOwedSinceMs).toBe(0);
    await pass(T + 1000);
    expect(verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 4 });
  });
});

describe('LivenessMonitor: messages without answers', () => {
  const IDLE_INTERVAL = 6 * INTERVAL;

  it('are no health: found within an idle interval and the threshold, and over with the first answer', async () => {
    const { chatter, verdicts, kinds, server } = livenessBench();
    await chatter(1000);
    server.isDeaf = true;
    await chatter(T);
    expect(verdicts).toEqual([]);
    await chatter(IDLE_INTERVAL + 1000);
    expect(verdicts).toEqual([{ kind: 'unknown', row: 9 }]);
    await chatter(100 * T);
    expect(kinds()).toEqual(['unknown']);
    server.isDeaf = false;
    await chatter(INTERVAL + 1000);
    expect(kinds()).toEqual(['unknown', 'alive']);
  });

  it('make a healthy server be asked no more often than silence does', async () => {
    const { chatter, kinds, server } = livenessBench();
    await chatter(10 * IDLE_INTERVAL);
    expect(server.asked.length).toBeGreaterThanOrEqual(10);
    expect(server.asked.length).toBeLessThanOrEqual(11);
    expect(kinds()).toEqual([]);
  });

  it('have it asked once an interval while an answer is missing', async () => {
    const { chatter, server } = livenessBench();
    await chatter(1000);
    server.isDeaf = true;
    await chatter(IDLE_INTERVAL);
    const asked = server.asked.length;
    await chatter(10 * INTERVAL);
    expect(server.asked.length - asked).toBeLessThanOrEqual(11);
  });

  it('prove nothing against a server that was never known to answer', async () => {
    const { chatter, kinds, server } = livenessBench();
    server.answers = new Set();
    await chatter(20 * T);
    expect(kinds()).not.toContain('stalled');
    expect(server.asked.length).toBe(1);
  });

  it('are enough during a call, however long, and however even they were before it fell silent', async () => {
    const { chatter, pass, kinds, server } = livenessBench();
    await chatter(60_000);
    const id = server.call();
    await chatter(20_000);
    server.isBlocked = true;
    await pass(4 * T);
    server.answer(id);
    await chatter(T);
    expect(kinds()).toEqual(['busy', 'alive']);
  });

  it('are health again when a call is answered, though no question is', async () => {
    const { chatter, kinds, server } = livenessBench();
    await chatter(1000);
    server.answers = new Set();
    await chatter(IDLE_INTERVAL + T);
    expect(kinds()).toEqual(['unknown']);
    server.answer(server.call());
    await chatter(1000);
    expect(kinds()).toEqual(['unknown', 'alive']);
  });

  it('are not held against it when we were absent', async () => {
    const { clock, chatter, kinds, server } = livenessBench();
    await chatter(1000);
    server.isBlocked = true;
    await chatter(IDLE_INTERVAL);
    clock.jump(10 * T);
    server.answer(server.call());
    await chatter(2 * T);
    expect(kinds()).toEqual([]);
  });
});

describe('LivenessMonitor: the round trip of probes', () => {
  it('is kept as evidence', async () => {
    const { pass, monitor, server } = livenessBench();
    expect(monitor.evidence().rttMs).toBeUndefined();
    await pass(ROUND_TRIP_MS);
    expect(monitor.evidence().rttMs).toBe(ROUND_TRIP_MS);
    server.isBlocked = true;
    await pass(6.5 * INTERVAL);
    const sentAgoMs = monitor.evidence().probes[0]!.unansweredMs;
    await pass(70);
    server.unblock();
    await pass(0);
    expect(monitor.evidence().rttMs).toBe(70 + sentAgoMs);
  });

  it('is none of a probe that failed', async () => {
    const { pass, monitor, server } = livenessBench();
    await pass(ROUND_TRIP_MS);
    let failed = 0;
    server.probe = () => Promise.reject(new Error(`the connection is lost (${(failed += 1)})`));
    await pass(8 * INTERVAL);
    expect(failed).toBeGreaterThan(1);
    expect(monitor.evidence().rttMs).toBe(ROUND_TRIP_MS);
  });
});

describe('LivenessMonitor: log messages', () => {
  it('are asked for when no probe is answered and the server can log', async () => {
    const { pass, server } = livenessBench({ canLog: true });
    server.answers = new Set();
    await pass(T);
    server.speak();
    await pass(10 * T);
    server.speak();
    await pass(10 * T);
    expect(server.debugLogsAsked).toBe(1);
  });

  it('are asked for at once where the setting says so, and never where it says no', async () => {
    expect(livenessBench({ health: { heartbeatLogs: true }, canLog: true }).server.debugLogsAsked).toBe(1);
    const never = livenessBench({ health: { heartbeatLogs: false }, canLog: true });
    never.server.answers = new Set();
    never.server.speak();
    await never.pass(20 * T);
    expect(never.server.debugLogsAsked).toBe(0);
  });
});

describe('LivenessMonitor: many servers', () => {
  it('are looked at in the same moments, whenever each came', async () => {
    const clock = createFakeClock();
    const looks = new Set<number>();
    const setTimeout = clock.setTimeout.bind(clock);
    Object.assign(clock, {
      setTimeout: (task: () => void, delayMs: number) => {
        if (delayMs > ROUND_TRIP_MS) looks.add(clock.now() + delayMs);
        return setTimeout(task, delayMs);
      },
    });
    for (let count = 0; count < 20; count += 1) {
      livenessBench({ clock });
      await clock.advance(37);
    }
    looks.clear();
    await clock.advance(10_000);
    expect(looks.size).toBeLessThanOrEqual(21);
  });
});

describe('a call that is held back', () => {
  const never = new Promise<never>(() => undefined);

  it.each([
    ['with the answer to the question', Promise.resolve(), () => undefined],
    ['at once when nothing is watched any more', never, (hold: CallHold) => hold.dispose()],
  ] as const)('leaves %s', async (_when, answer, then) => {
    const clock = createFakeClock();
    const hold = new CallHold(clock);
    hold.until(answer);
    then(hold);
    await clock.advance(0);
    expect([hold.current, clock.pending]).toEqual([undefined, 0]);
  });

  it('leaves too late to excuse the question, even by a timer that fires early', async () => {
    const clock = createFakeClock();
    const early = {
      now: () => clock.now(),
      setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, Math.max(0, ms - 1)),
    };
    const hold = new CallHold(early);
    const sentAtMs = clock.now();
    hold.until(never);
    while (hold.current !== undefined) await clock.advance(1);
    expect(clock.now() - sentAtMs).toBeGreaterThanOrEqual(ALONE_MS);
    expect(clock.now() - sentAtMs).toBeLessThan(1.1 * ALONE_MS);
  });
});
