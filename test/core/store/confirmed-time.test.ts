import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfirmedTime, confirmTime } from '../../../electron/core/store/file/history-file.ts';
import { DAY_MS, MINUTE_MS, START } from './history-fixture.ts';

const YEAR_MS = 365 * DAY_MS;

describe('a confirmed time', () => {
  const step = fc.record({
    byMs: fc.integer({ min: -YEAR_MS, max: YEAR_MS }),
    ranMs: fc.nat({ max: 5 * MINUTE_MS }),
  });

  it('is never later than the clock was at any look within the last day of running', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof({ weight: 200, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: step }),
          { minLength: 800, maxLength: 3000 },
        ),
        (steps) => {
          let known: ConfirmedTime | undefined;
          let at = START;
          const looks: { at: number; ranAt: number }[] = [];
          let ranAt = 0;
          for (const one of steps) {
            const ranMs = Math.min(one?.ranMs ?? 2 * MINUTE_MS, 2 * MINUTE_MS);
            at += one?.byMs ?? ranMs;
            ranAt += ranMs;
            known = confirmTime(known, at, ranMs);
            looks.push({ at, ranAt });
            const recent = looks.filter((look) => look.ranAt > ranAt - DAY_MS);
            expect(known.confirmedAt).toBeLessThanOrEqual(Math.min(...recent.map((look) => look.at)));
          }
        },
      ),
      { numRuns: 10 },
    );
  });

  it('follows a panel that runs for an hour a day, two to eight weeks behind', () => {
    let known: ConfirmedTime | undefined;
    let at = START;
    for (let day = 0; day < 100; day += 1) {
      for (let minute = 0; minute < 60; minute += 2)
        known = confirmTime(known, at + minute * MINUTE_MS, 2 * MINUTE_MS);
      at += DAY_MS;
    }
    expect(at - known!.confirmedAt).toBeLessThan(56 * DAY_MS);
    expect(known!.confirmedAt).toBeGreaterThan(START);
  });
});
