import { describe, expect, it } from 'vitest';
import {
  callSeries,
  minuteWindow,
  restartTicks,
  usageWindow,
  watchedMinutes,
} from '../../../renderer/overview/use-usage.ts';
import { callsOfMinutes } from '../charts/calls-of-minutes.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/units.ts';
const NOW = 1000 * HOUR_MS;

describe('usageWindow', () => {
  it('is as long as there is something to show, an hour at most', () => {
    const spanOf = (ageMs: number | undefined) =>
      usageWindow(ageMs === undefined ? undefined : NOW - ageMs, NOW).spanMs / MINUTE_MS;
    expect(
      [undefined, MINUTE_MS, 3 * MINUTE_MS, 14 * MINUTE_MS, 16 * MINUTE_MS, 9 * HOUR_MS].map(spanOf),
    ).toEqual([2, 2, 5, 15, 60, 60]);
  });

  it('ends with a bucket that has begun, and never moves within a redraw', () => {
    const { first, steps, bucketMs } = usageWindow(NOW - MINUTE_MS, NOW);
    expect((first + steps) * bucketMs).toBe(NOW);
    expect(bucketMs).toBe(5000);
  });
});

describe('callSeries', () => {
  const window = usageWindow(NOW - 4 * MINUTE_MS, NOW);
  const minutes = minuteWindow(window, NOW);

  it('has a zero for a minute without calls where somebody looked, and a gap elsewhere', () => {
    const called = { at: NOW - 2 * MINUTE_MS, calls: 7, errors: 0 };
    const isWatched = [false, false, true, true, true];
    expect(callSeries('a', callsOfMinutes([called]), minutes, isWatched).figures).toEqual([
      undefined,
      undefined,
      0,
      7,
      0,
    ]);
  });

  it('has the calls of the last 60 seconds for the minute that is not over', () => {
    const isWatched = [true, true, true, true, true];
    const begun = { at: NOW - MINUTE_MS, calls: 1, errors: 0 };
    expect(callSeries('a', callsOfMinutes([begun]), minutes, isWatched, 24).figures).toEqual([
      0, 0, 0, 0, 24,
    ]);
  });

  it('knows the watched minutes from the samples', () => {
    const isKnown = Array.from({ length: window.steps }, (_, step) => step >= window.steps / 2);
    expect(watchedMinutes(isKnown, window, minutes)).toEqual([false, false, true, true, true]);
  });
});

describe('restartTicks', () => {
  it('are where a server was started again within the time shown, each place once', () => {
    const window = usageWindow(NOW - 4 * MINUTE_MS, NOW);
    const at = (place: number) => NOW - 5 * MINUTE_MS * (1 - place);
    const events = [
      { kind: 'restarted', at: at(-0.5) },
      { kind: 'crashed', at: at(0.1) },
      { kind: 'restarted', at: at(0.5) },
      { kind: 'restarted', at: at(0.5) + 1 },
      { kind: 'restarted', at: at(0.75) },
    ] as const;
    expect(restartTicks(events, window)).toEqual([0.5, 0.75]);
  });
});
