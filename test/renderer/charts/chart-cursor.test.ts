import { describe, expect, it } from 'vitest';
import { movedCursor, wordsAt, type CursorStops } from '../../../renderer/charts/chart-cursor.ts';
import { chartFigures } from '../../../renderer/charts/figures.ts';
import { groupEvents } from '../../../renderer/charts/event-groups.ts';
import { formatClockTime } from '../../../renderer/format/moments.ts';
import { aSample, anEvent } from '../builders.ts';
import { sampleRows } from './sample-rows.ts';

const SECOND = 1000;
const window = { from: 0, to: 300 * SECOND };
const instants = Array.from({ length: 200 }, (_, index) => index * SECOND);
const groups = groupEvents(
  [anEvent('1', { at: 20 * SECOND }), anEvent('2', { at: 90 * SECOND })],
  window,
  1000,
);
const press = (key: string, shiftKey = false) => ({ key, shiftKey });
const move = (at: number | undefined, key: string, stops: Partial<CursorStops> = { leapMs: 60 * SECOND }) =>
  movedCursor(at, press(key), { instants, groups, ...stops });

const FIRST = 0;
const LAST = 199;
type Second = number | undefined;

describe('the cursor of the charts', () => {
  it.each<[string, Second, string, Second]>([
    ['comes in at the newest sample by an arrow to the left', undefined, 'ArrowLeft', LAST],
    ['comes in at the newest sample by an arrow to the right', undefined, 'ArrowRight', LAST],
    ['comes in at the newest sample by a leap', undefined, 'PageUp', LAST],
    ['goes to the sample before', 100, 'ArrowLeft', 99],
    ['goes to the sample after', 100, 'ArrowRight', 101],
    ['stays at the first sample', FIRST, 'ArrowLeft', FIRST],
    ['stays at the last sample', LAST, 'ArrowRight', LAST],
    ['goes a minute back', 100, 'PageUp', 40],
    ['goes a minute on', 100, 'PageDown', 160],
    ['goes no farther than the last sample', 190, 'PageDown', LAST],
    ['goes to the first sample', 100, 'Home', FIRST],
    ['goes to the last sample', 100, 'End', LAST],
    ['goes to the event before', 50, ',', 20],
    ['goes to the event after', 50, '.', 90],
    ['stays at the last event', 90, '.', 90],
    ['comes in at the last event, backwards', undefined, ',', 90],
    ['comes in at the last event, forwards', undefined, '.', 90],
    ['does not go by another key', 20, 'x', undefined],
    ['does not go by the name of what every object has', 20, 'toString', undefined],
  ])('%s', (_, from, key, to) =>
    expect(move(from === undefined ? from : from * SECOND, key)).toBe(to === undefined ? to : to * SECOND),
  );

  it('goes to the next sample on its side from a gap, and back to the last one from behind it', () => {
    const stops = { instants: [10, 20, 40, 50] };
    expect([move(30, 'ArrowRight', stops), move(30, 'ArrowLeft', stops)]).toEqual([40, 20]);
    expect([move(60, 'ArrowRight', stops), move(60, 'ArrowLeft', stops)]).toEqual([50, 50]);
  });

  it('leaps over ten samples where no time is given for it, and as far with the shift key', () => {
    expect([move(20 * SECOND, 'PageUp', {}), move(195 * SECOND, 'PageDown', {})]).toEqual([
      10 * SECOND,
      199 * SECOND,
    ]);
    expect(movedCursor(20 * SECOND, press('ArrowLeft', true), { instants, groups })).toBe(10 * SECOND);
  });

  it.each(['ArrowLeft', 'Home', '.', 'PageUp'])('has nowhere to go by %s without a sample', (key) =>
    expect(movedCursor(undefined, press(key), { instants: [], groups: [] })).toBeUndefined(),
  );

  it('tells the time, what happened, and each figure or that there is none', () => {
    const [memory, cpu] = chartFigures;
    const samples = [aSample(10 * SECOND, { memoryBytes: 64 * 2 ** 20, cpuPercent: 5 })];
    const later = aSample(20 * SECOND, { memoryBytes: 64 * 2 ** 20 });
    delete (later as { cpuPercent?: number }).cpuPercent;
    const curves = [memory!, cpu!].map((figure) => ({
      figure,
      data: sampleRows([...samples, later], figure.metric, window, SECOND),
      limits: [],
      axis: figure.axisFor(undefined),
    }));
    const told = wordsAt(20 * SECOND, {
      ...{ curves, window, absences: [], bucketMs: SECOND },
      events: groups[0]!.events,
    });
    expect(told).toMatch(
      new RegExp(`^${formatClockTime(20 * SECOND)}, .+, Memory 64\\.0 MiB, CPU not measured$`),
    );
  });

  it('tells the least and the most of several samples, and why there are none', () => {
    const [memory] = chartFigures;
    const samples = [60, 68].map((mib, index) =>
      aSample(20 * SECOND + index, { memoryBytes: mib * 2 ** 20 }),
    );
    const curve = {
      figure: memory!,
      data: sampleRows(samples, 'memoryBytes', window, SECOND),
      limits: [],
      axis: memory!.axisFor(undefined),
    };
    const absences = [{ from: 30 * SECOND, to: 40 * SECOND, reason: 'not-running' as const }];
    const shown = { curves: [curve], window, events: [], absences, bucketMs: SECOND };
    expect(wordsAt(20 * SECOND, shown)).toMatch(/, Memory 64\.0 MiB \(60\.0 to 68\.0 MiB\)$/);
    expect(wordsAt(35 * SECOND, shown)).toMatch(/, panel not running$/);
  });
});
