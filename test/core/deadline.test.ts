import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Deadline, toleratedLatenessMs } from '../../electron/core/deadline.ts';
import { beginWait, excuse, waitEndsAt } from '../../electron/core/wait-times.ts';
import { behindTheNextTimer, createFakeClock } from './fake-clock.ts';
import { propertyRuns } from '../support/property-runs.ts';

/** Deadline of `windowMs` since the last progress and of `capMs` in all, which our own absence excuses. */
function waiting(windowMs: number, capMs = Infinity) {
  const clock = createFakeClock();
  const wait = beginWait(clock.now());
  const passedAtMs: number[] = [];
  const absences: number[] = [];
  const deadline = new Deadline({
    clock,
    dueAtMs: () => waitEndsAt(wait, { windowMs, capMs }),
    limitMs: () => Math.min(windowMs, capMs),
    onAbsent: (absence) => {
      absences.push(absence.absentMs);
      excuse(wait, absence, clock.now());
    },
    onPassed: () => passedAtMs.push(clock.now()),
  });
  return { clock, wait, deadline, passedAtMs, absences };
}

describe('Deadline', () => {
  it('passes once, when it is due, and leaves no timer', async () => {
    const { clock, passedAtMs, absences } = waiting(10_000);
    await clock.advance(60_000);
    expect({ passedAtMs, absences, pending: clock.pending }).toEqual({
      passedAtMs: [10_000],
      absences: [],
      pending: 0,
    });
  });

  it('gives one new window when we were absent as it was due', async () => {
    const { clock, passedAtMs, absences } = waiting(2000);
    await clock.advance(1500);
    clock.jump(60_000);
    await clock.advance(1999);
    expect(passedAtMs).toEqual([]);
    await clock.advance(1);
    expect(passedAtMs).toEqual([63_500]);
    expect(absences).toEqual([60_500]);
  });

  it('gives it for an absence that ended before it was due, too', async () => {
    const { clock, passedAtMs } = waiting(300_000);
    await clock.advance(5000);
    clock.jump(294_000);
    await clock.advance(290_000);
    expect(passedAtMs).toEqual([]);
    await clock.advance(10_000);
    expect(passedAtMs).toHaveLength(1);
  });

  it('gives no more time at all than the cap and our absences', async () => {
    const { clock, passedAtMs } = waiting(2000, 4000);
    await clock.advance(1000);
    clock.jump(10_000);
    await clock.advance(1500);
    clock.jump(10_000);
    await clock.advance(60_000);
    const [atMs] = passedAtMs;
    expect(atMs).toBeGreaterThanOrEqual(24_000);
    expect(atMs).toBeLessThanOrEqual(26_000);
  });

  it('passes on a machine on which we are late all the time: after three windows only the lateness is taken off', async () => {
    const { clock, passedAtMs } = waiting(4000);
    const lateMs = 1500;
    while (passedAtMs.length === 0 && clock.now() < 600_000) {
      await clock.advance(999);
      clock.jump(lateMs + 1);
      await clock.advance(0);
    }
    // Three windows of a second and its lateness each, then four times a second of ours and as much lateness.
    expect(passedAtMs[0]).toBeGreaterThanOrEqual(3 * 2500 + 4000);
    expect(passedAtMs[0]).toBeLessThanOrEqual(3 * 2500 + 5 * 2500);
  });

  it('gives new windows again after a window without an absence', async () => {
    const { clock, wait, absences } = waiting(4000);
    for (let round = 0; round < 12; round += 1) {
      await clock.advance(round % 3 === 0 ? 3900 : 1000);
      wait.lastProgressAtMs = clock.now();
      if (round % 3 === 0) await clock.advance(1000);
      wait.lastProgressAtMs = clock.now();
      clock.jump(5000);
      await clock.advance(0);
      expect(wait.backAtMs).toBe(clock.now());
    }
    expect(absences).toHaveLength(12);
  });

  it('takes a busy machine for no absence', async () => {
    const { clock, passedAtMs, absences } = waiting(4000);
    for (let step = 0; step < 4; step += 1) {
      clock.jump(toleratedLatenessMs(4000) - 1);
      await clock.advance(1);
    }
    await clock.advance(1000);
    expect(absences).toEqual([]);
    expect(passedAtMs).toHaveLength(1);
  });

  it('does not pass when what lay in a pipe, unread as it was due, moves it', async () => {
    const { clock, wait, passedAtMs } = waiting(1000);
    await clock.advance(999);
    behindTheNextTimer(() => (wait.lastProgressAtMs = clock.now()));
    await clock.advance(1);
    expect(passedAtMs).toEqual([]);
    await clock.advance(1000);
    expect(passedAtMs).toEqual([2000]);
  });

  it('never passes once it is disposed of, also right before it would', async () => {
    const { clock, deadline, passedAtMs } = waiting(1000);
    await clock.advance(999);
    behindTheNextTimer(() => deadline.dispose());
    await clock.advance(10_000);
    expect(passedAtMs).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('gives whoever is waited for its whole time while we listen, whenever we are absent', async () => {
    const step = fc.record({
      isAbsent: fc.boolean(),
      ms: fc.integer({ min: 1, max: 20_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { clock, passedAtMs } = waiting(10_000, 20_000);
        let listenedMs = 0;
        for (const { isAbsent, ms } of steps) {
          if (passedAtMs.length > 0) break;
          if (isAbsent) clock.jump(Math.max(ms, 4000));
          else {
            const before = clock.now();
            await clock.advance(ms);
            listenedMs += (passedAtMs[0] ?? clock.now()) - before;
          }
        }
        const { length } = passedAtMs;
        // An absence may cost up to the second between two looks, never more.
        if (length > 0) expect(listenedMs).toBeGreaterThanOrEqual(9000);
        await clock.advance(60_000);
        expect(passedAtMs).toHaveLength(1);
        expect(clock.pending).toBe(0);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
