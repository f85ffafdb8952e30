import { describe, expect, it } from 'vitest';
import type { SeriesReply } from '../../../shared/history.ts';
import { withPastGaps } from '../../../renderer/charts/downsample.ts';
import { chartFigures } from '../../../renderer/charts/figures.ts';
import { aReply, aSeries } from '../builders.ts';
import { callCurves } from '../../../renderer/charts/call-curves.ts';
import { curvesOf as drawnOf, hasBefore } from '../../../renderer/charts/series.ts';

const MIB = 2 ** 20;
const STEP_MS = 300_000;
const window = { from: 0, to: 10 * STEP_MS };

const mib = (...figures: number[]) => figures.map((figure) => figure * MIB);
const replyOf = (limits: SeriesReply['limits'] = []) =>
  aReply({
    ...{ ...window, stepMs: STEP_MS, limits },
    series: [
      aSeries('one', 'memoryBytes', [2, 3], mib(100, 110), { min: mib(90, 90), max: mib(700, 120) }),
      aSeries('one', 'openFiles', [2, 3], [10.5, 11], { min: [9, 9], max: [12, 14] }),
    ],
  });
const limitsOf = (from: number, maxMemoryMiB: number, server = 'one') => ({
  ...{ server, from, maxMemoryMiB, maxCpuPercent: 80, maxOpenFiles: 1000 },
});
const curvesOf = (reply: SeriesReply) =>
  drawnOf(reply, 'one', chartFigures, { window, absences: [], ends: [] });

describe('curves of the history', () => {
  it('have the axis that their most asks for, and nothing where there is no such figure', () => {
    const [memory, cpu] = curvesOf(replyOf());
    expect(memory!.data.rows.map(({ average }) => average! / MIB)).toEqual([100, 110]);
    expect(memory!.axis.top / MIB).toBe(768);
    expect(cpu!.data.rows).toEqual([]);
  });

  it('are lines where samples are steps, because the average of a count is none', () => {
    const shapes = Object.fromEntries(curvesOf(replyOf()).map(({ figure }) => [figure.id, figure.shape]));
    expect(shapes).toMatchObject({ memory: 'area', files: 'line', processes: 'line' });
  });

  it('have the limits that were in force then, equal ones in one piece, and those of now where none were kept', () => {
    const limits = [limitsOf(0, 512), limitsOf(1000, 512), limitsOf(2000, 1024), limitsOf(0, 64, 'other')];
    const [memory] = curvesOf(replyOf(limits));
    expect(memory!.limits).toEqual([
      { from: 0, to: 2000, value: 512 * MIB, words: 'limit 512 MiB' },
      { from: 2000, to: Infinity, value: 1024 * MIB, words: 'limit 1 GiB' },
    ]);
    const limitsNow = { server: { name: 'one', limits: limitsOf(0, 256) }, events: [] };
    const [inForce] = drawnOf(replyOf(), 'one', chartFigures, { window, absences: [], ends: [], limitsNow });
    expect(inForce!.limits).toEqual([
      { from: -Infinity, to: Infinity, value: 256 * MIB, words: 'limit 256 MiB' },
    ]);
  });

  it('are told from the samples that are here by what they know from before', () => {
    expect(hasBefore(replyOf(), 'one', Infinity)).toBe(true);
    expect(hasBefore(replyOf(), 'one', 3 * STEP_MS)).toBe(true);
    expect(hasBefore(replyOf(), 'one', 3 * STEP_MS - 1)).toBe(false);
    expect(hasBefore(replyOf(), 'other', Infinity)).toBe(false);
  });
});

describe('absences', () => {
  it('that the history and the events both tell of are there once, and a sleep stays what it is', () => {
    const told = [
      { from: 10, to: 20, reason: 'not-running' as const },
      { from: 30, to: 40, reason: 'asleep' as const },
      { from: 70, to: 80, reason: 'not-running' as const },
    ];
    expect(
      withPastGaps(told, [
        { from: 11, to: 21 },
        { from: 50, to: 60 },
      ]),
    ).toEqual([
      { from: 11, to: 21, reason: 'not-running' },
      { from: 30, to: 40, reason: 'asleep' },
      { from: 50, to: 60, reason: 'not-running' },
      { from: 70, to: 80, reason: 'not-running' },
    ]);
  });
});

describe('calls of the history', () => {
  const reply = {
    ...{ ...window, stepMs: STEP_MS },
    buckets: [
      { index: 1, calls: 10, errors: 2, averageMs: 20, maxMs: 300 },
      { index: 4, calls: 1, errors: 0 },
    ],
  };

  it('are a rate per minute, so that spans compare, with a mark where some failed', () => {
    const [calls] = callCurves(reply, window, []);
    expect(calls!.at(1.5 * STEP_MS)).toBe('2 /min, 2 errors');
    expect(calls!.at(4.5 * STEP_MS)).toBe('0.2 /min');
    expect(calls!.at(7 * STEP_MS)).toBe('0 /min');
    expect(calls!.marks).toEqual([{ at: 1.5 * STEP_MS, value: 2 }]);
    expect(calls!.told).toEqual(['peak 2 /min', '2 errors']);
  });

  it('tell the busiest minute as the peak, whatever the buckets, and of which time it is where no minutes are kept', () => {
    const ofMinute = { ...reply, busiest: { calls: 9, stepMs: 60_000 } };
    expect(callCurves(ofMinute, window, [])[0]!.told[0]).toBe('peak 9 /min');
    const ofQuarter = { ...reply, busiest: { calls: 180, stepMs: 15 * 60_000 } };
    expect(callCurves(ofQuarter, window, [])[0]!.told[0]).toBe('peak 12 /min over 15 m');
  });
});
