import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusalLog, type RefusalReport } from '../../../../electron/core/gateway/http/refusal-log.ts';
import { createFakeClock } from '../../fake-clock.ts';

const MINUTE_MS = 60_000;

function create() {
  const clock = createFakeClock();
  const reports: (RefusalReport & { atMs: number })[] = [];
  const log = new RefusalLog(clock, (report) => reports.push({ ...report, atMs: clock.now() }));
  return { clock, log, reports };
}

describe('refusals', () => {
  it('are told at once the first time, and then together a minute later with the client that came last', () => {
    const { clock, log, reports } = create();
    log.add('rate', 'first');
    for (const name of ['second', 'third']) log.add('rate', name);
    expect(reports).toEqual([{ reason: 'rate', count: 1, clientName: 'first', atMs: 0 }]);
    clock.tick(MINUTE_MS - 1);
    expect(reports).toHaveLength(1);
    clock.tick(1);
    expect(reports[1]).toEqual({ reason: 'rate', count: 2, clientName: 'third', atMs: MINUTE_MS });
  });

  it('after a minute without any are told at once again, and no timer waits for them', () => {
    const { clock, log, reports } = create();
    log.add('token');
    clock.tick(MINUTE_MS);
    expect(clock.pending).toBe(0);
    log.add('token');
    expect(reports.map(({ count, atMs }) => [count, atMs])).toEqual([
      [1, 0],
      [1, MINUTE_MS],
    ]);
  });

  it('that were not told yet are told at the end, and none after it', () => {
    const { clock, log, reports } = create();
    log.add('slow');
    log.add('slow');
    log.add('path');
    log.dispose();
    log.dispose();
    log.add('path');
    expect(reports.map(({ reason, count }) => [reason, count])).toEqual([
      ['slow', 1],
      ['path', 1],
      ['slow', 1],
    ]);
    expect(clock.pending).toBe(0);
  });

  it('are each counted once, whenever they come', () => {
    const step = fc.record({
      reason: fc.constantFrom('token', 'host', 'rate'),
      waitMs: fc.integer({ min: 0, max: 90_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (all) => {
        const { clock, log, reports } = create();
        for (const { reason, waitMs } of all) {
          log.add(reason);
          clock.tick(waitMs);
        }
        log.dispose();
        for (const wanted of ['token', 'host', 'rate']) {
          const told = reports.filter(({ reason }) => reason === wanted);
          const counted = told.reduce((sum, { count }) => sum + count, 0);
          expect(counted).toBe(all.filter(({ reason }) => reason === wanted).length);
          // All but the last one, which the end brings forward, are a minute apart.
          const times = told.slice(0, -1).map(({ atMs }) => atMs);
          for (const [index, atMs] of times.entries())
            if (index > 0) expect(atMs - times[index - 1]!).toBeGreaterThanOrEqual(MINUTE_MS);
        }
      }),
    );
  });
});
