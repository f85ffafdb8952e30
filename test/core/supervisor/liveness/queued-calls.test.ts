import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVAL, livenessBench, T, type BenchOptions } from './liveness-bench.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const SECOND = 1000;
const DEADLINE = 300 * SECOND;
/** Time from the moment a verdict is due to the moment it is given: a tick, and one more look. */
const TICK = SECOND;

/** Bench of a server that does one thing after the other, and has answered a question. */
async function orderedBench(options?: BenchOptions) {
  const bench = livenessBench(options);
  bench.server.isOrdered = true;
  await bench.pass(5 * SECOND);
  return bench;
}
type Bench = Awaited<ReturnType<typeof orderedBench>>;

/** Calls now, whatever the call before does, and passes `thenMs`. The server takes `ms` once it has come to it. */
async function callOn({ server, call, pass }: Bench, ms: number, thenMs: number): Promise<void> {
  server.workOn(await call(), ms);
  await pass(thenMs);
}

describe('a server that does one thing after the other, while its clients go on calling,', () => {
  it('is found once the call that it hangs in is overdue, however many wait behind it', async () => {
    const bench = await orderedBench();
    await callOn(bench, 100, SECOND);
    const hungAtMs = bench.clock.now();
    await callOn(bench, Infinity, 20 * SECOND);
    while (!bench.kinds().includes('stalled') && bench.clock.now() - hungAtMs < 2 * DEADLINE)
      await callOn(bench, 100, 20 * SECOND);
    expect(bench.verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 7 });
    expect(bench.clock.now() - hungAtMs).toBeLessThanOrEqual(
      DEADLINE + 2 * T + INTERVAL + 20 * SECOND + TICK,
    );
    bench.dispose();
  });

  it('is found where it talks all the time as well, within two thresholds more', async () => {
    const bench = await orderedBench();
    await callOn(bench, 100, SECOND);
    const hungAtMs = bench.clock.now();
    await callOn(bench, Infinity, SECOND);
    while (!bench.kinds().includes('stalled') && bench.clock.now() - hungAtMs < 3 * DEADLINE) {
      await callOn(bench, 100, 0);
      await bench.chatter(10 * SECOND, 500);
    }
    expect(bench.verdicts.at(-1)).toMatchObject({ kind: 'stalled', row: 7 });
    expect(bench.clock.now() - hungAtMs).toBeLessThanOrEqual(2 * DEADLINE + 2 * T + 2 * INTERVAL);
    bench.dispose();
  });

  it.each([
    ['is convicted by the order of its pipe', true],
    ['is not where it is remote, because its parts may work side by side', false],
  ])('and has answered during the call that hangs, %s', async (_how, holdsCalls) => {
    const bench = livenessBench({ holdsCalls });
    await bench.pass(5 * SECOND);
    await bench.call();
    await bench.pass(30 * SECOND);
    bench.server.isDeaf = true;
    for (let atMs = 0; atMs < DEADLINE + 2 * T + INTERVAL; atMs += 20 * SECOND) {
      await bench.pass(20 * SECOND);
      await bench.call();
    }
    expect(bench.kinds().includes('stalled')).toBe(holdsCalls);
    bench.dispose();
  });

  const turn = fc.record({
    workMs: fc.integer({ min: 1, max: 120_000 }),
    thenMs: fc.integer({ min: 1, max: 60_000 }),
  });

  it('is never convicted when each call is answered within its deadline', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { maxLength: 30 }), async (turns) => {
        const bench = await orderedBench();
        let isLate = false;
        for (const { workMs, thenMs } of turns) {
          await callOn(bench, workMs, thenMs);
          isLate ||= bench.server.ledger.overdueAt(bench.clock.now()).length > 0;
        }
        while (bench.server.ledger.size > 0) {
          await bench.pass(SECOND);
          isLate ||= bench.server.ledger.overdueAt(bench.clock.now()).length > 0;
        }
        fc.pre(!isLate);
        await bench.pass(3 * T);
        expect(bench.kinds()).not.toContain('stalled');
        bench.dispose();
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('is always found when it hangs, in whatever history', async () => {
    const short = fc.record({
      workMs: fc.integer({ min: 1, max: 20_000 }),
      thenMs: fc.integer({ min: 1, max: 60_000 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(short, { maxLength: 10 }),
        fc.array(short, { minLength: 1, maxLength: 10 }),
        async (before, after) => {
          const bench = await orderedBench();
          for (const { workMs, thenMs } of before) await callOn(bench, workMs, thenMs);
          await callOn(bench, Infinity, 0);
          const hungAtMs = bench.clock.now();
          const limitMs = 2 * DEADLINE + 2 * T + 2 * INTERVAL;
          for (let next = 0; bench.clock.now() - hungAtMs < limitMs; next += 1) {
            const { workMs, thenMs } = after[next % after.length]!;
            await callOn(bench, workMs, Math.max(thenMs, SECOND));
            if (bench.kinds().includes('stalled')) break;
          }
          expect(bench.kinds()).toContain('stalled');
          bench.dispose();
        },
      ),
      { numRuns: propertyRuns(60) },
    );
  });
});
