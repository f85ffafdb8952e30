import { describe, expect, it } from 'vitest';
import { movedCursor, moveOf, wordsAt } from '../../../renderer/charts/chart-cursor.ts';
import { chartFigures } from '../../../renderer/charts/figures.ts';
import { toChartRows } from '../../../renderer/charts/downsample.ts';
import { groupEvents } from '../../../renderer/charts/event-groups.ts';
import { formatClockTime } from '../../../renderer/format/moments.ts';
import { aSample, anEvent } from '../builders.ts';

const SECOND = 1000;
const window = { from: 0, to: 300 * SECOND };
const instants = Array.from({ length: 200 }, (_, index) => index * SECOND);
const groups = groupEvents(
  [anEvent('1', { at: 20 * SECOND }), anEvent('2', { at: 90 * SECOND })],
  window,
  1000,
);
const move = (at: number | undefined, way: Parameters<typeof movedCursor>[1]) =>
  movedCursor(at, way, { instants, groups });

describe('the cursor of the charts', () => {
  it('comes in at the newest sample', () => {
    expect(move(undefined, 'earlier')).toBe(199 * SECOND);
    expect(move(undefined, 'later')).toBe(199 * SECOND);
    expect(move(undefined, 'minute-earlier')).toBe(199 * SECOND);
  });

  it('goes from sample to sample, and stays at the ends', () => {
    expect(move(100 * SECOND, 'earlier')).toBe(99 * SECOND);
    expect(move(100 * SECOND, 'later')).toBe(101 * SECOND);
    expect(move(0, 'earlier')).toBe(0);
    expect(move(199 * SECOND, 'later')).toBe(199 * SECOND);
  });

  it('goes a minute, to the first and to the last sample', () => {
    expect(move(100 * SECOND, 'minute-earlier')).toBe(40 * SECOND);
    expect(move(100 * SECOND, 'minute-later')).toBe(160 * SECOND);
    expect(move(190 * SECOND, 'minute-later')).toBe(199 * SECOND);
    expect(move(100 * SECOND, 'first')).toBe(0);
    expect(move(100 * SECOND, 'last')).toBe(199 * SECOND);
  });

  it('goes from event to event', () => {
    expect(move(50 * SECOND, 'event-before')).toBe(20 * SECOND);
    expect(move(50 * SECOND, 'event-after')).toBe(90 * SECOND);
    expect(move(90 * SECOND, 'event-after')).toBe(90 * SECOND);
    expect(move(undefined, 'event-before')).toBe(90 * SECOND);
    expect(move(undefined, 'event-after')).toBe(90 * SECOND);
  });

  it('has nowhere to go where nothing was measured', () => {
    expect(movedCursor(undefined, 'earlier', { instants: [], groups: [] })).toBeUndefined();
    expect(movedCursor(undefined, 'event-after', { instants: [], groups: [] })).toBeUndefined();
  });

  it('is moved by the keys of a slider, and by a point and a comma', () => {
    const ways = ['ArrowLeft', 'ArrowRight', 'Home', 'End', ',', '.'].map((key) =>
      moveOf({ key, shiftKey: false }),
    );
    expect(ways).toEqual(['earlier', 'later', 'first', 'last', 'event-before', 'event-after']);
    expect(moveOf({ key: 'ArrowLeft', shiftKey: true })).toBe('minute-earlier');
    expect(moveOf({ key: 'x', shiftKey: false })).toBeUndefined();
  });

  it('tells the time, what happened, and each figure or that there is none', () => {
    const [memory, cpu] = chartFigures;
    const samples = [aSample(10 * SECOND, { memoryBytes: 64 * 2 ** 20, cpuPercent: 5 })];
    const later = aSample(20 * SECOND, { memoryBytes: 64 * 2 ** 20 });
    delete (later as { cpuPercent?: number }).cpuPercent;
    const curves = [memory!, cpu!].map((figure) => ({
      figure,
      data: toChartRows([...samples, later], figure.pick, window, SECOND),
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
      data: toChartRows(samples, memory!.pick, window, SECOND),
      limits: [],
      axis: memory!.axisFor(undefined),
    };
    const absences = [{ from: 30 * SECOND, to: 40 * SECOND, reason: 'not-running' as const }];
    const shown = { curves: [curve], window, events: [], absences, bucketMs: SECOND };
    expect(wordsAt(20 * SECOND, shown)).toMatch(/, Memory 64\.0 MiB \(60\.0 to 68\.0 MiB\)$/);
    expect(wordsAt(35 * SECOND, shown)).toMatch(/, panel not running$/);
  });
});
