import { describe, expect, it } from 'vitest';
import { bandsOf, groupEvents, isBand, worstWords } from '../../../renderer/charts/event-groups.ts';
import { instantAt, PLOT_LEFT_PX } from '../../../renderer/charts/plot-frame.ts';
import { sparkShape, SPARK_SPAN_MS, SPARK_STEP_MS } from '../../../renderer/charts/sparkline-path.ts';
import type { Sample } from '../../../shared/domain.ts';
import { aSample, anEvent } from '../builders.ts';

describe('groupEvents', () => {
  const window = { from: 1000, to: 2000 };
  const group = (...times: number[]) =>
    groupEvents(
      times.map((at, index) => anEvent(String(index), { at })),
      window,
      100,
    );

  it('keeps marks apart from eight pixels on', () => {
    expect(group(1000, 1080, 1160).map(({ x }) => x)).toEqual([0, 8, 16]);
  });

  it('joins what is closer, without running away along a chain', () => {
    const groups = group(1000, 1050, 1100, 1150);
    expect(groups.map(({ x, events }) => [x, events.length])).toEqual([
      [0, 2],
      [10, 2],
    ]);
  });

  it('shows the worst of a group', () => {
    const [only] = groupEvents(
      [
        anEvent('1', { at: 1500, kind: 'restarted' }),
        anEvent('2', { at: 1501, kind: 'crashed' }),
        anEvent('3', { at: 1502, kind: 'restart-scheduled' }),
      ],
      window,
      100,
    );
    expect(only?.mark).toBe('failed');
    expect(only?.events.map(({ id }) => id)).toEqual(['1', '2', '3']);
  });

  it('becomes a band with the number of the worst where marks would stand closer than eight pixels', () => {
    const crashes = [1000, 1050, 1100, 1150, 1500].map((at, index) =>
      anEvent(`${index}`, { at, kind: index === 1 ? 'restarted' : 'crashed' }),
    );
    const [band, single] = bandsOf(groupEvents(crashes, window, 100));
    expect([band!.x, band!.toX, isBand(band!), worstWords(band!)]).toEqual([0, 15, true, '3 crashes']);
    expect([single!.x, isBand(single!), worstWords(single!)]).toEqual([50, false, '1 crash']);
    expect(bandsOf(group(1000, 1080))).toHaveLength(2);
  });

  it('counts problems of several kinds, and else events', () => {
    const events = [anEvent('1', { at: 1000, kind: 'crashed' }), anEvent('2', { at: 1001, kind: 'gave-up' })];
    expect(worstWords(groupEvents(events, window, 100)[0]!)).toBe('2 problems');
    const notes = [anEvent('1', { at: 1000, kind: 'config-changed' })];
    expect(worstWords(groupEvents(notes, window, 100)[0]!)).toBe('1 event');
  });

  it('leaves out what lies beside the window', () => {
    expect(group(999, 2001)).toEqual([]);
  });
});

describe('plot frame', () => {
  const window = { from: 0, to: 1000 };

  it('knows no instant beside the plot', () => {
    expect(instantAt(PLOT_LEFT_PX - 1, window, 500)).toBeUndefined();
    expect(instantAt(499, window, 500)).toBeUndefined();
  });
});

describe('sparkShape', () => {
  const frame = { width: 59, height: 11, leastTop: 10 };
  const endAt = 10 * SPARK_SPAN_MS;
  const startAt = endAt - SPARK_SPAN_MS;
  const draw = (samples: Parameters<typeof sparkShape>[0]) => sparkShape(samples, 'cpuPercent', endAt, frame);
  const step = (index: number, cpuPercent: number) =>
    aSample(startAt + index * SPARK_STEP_MS, { cpuPercent });

  it('draws nothing without samples', () => {
    expect(draw([])).toBeUndefined();
    expect(draw([aSample(startAt - 1), aSample(endAt)])).toBeUndefined();
  });

  it('draws nothing yet of a curve that is a few specks wide', () => {
    expect(draw([step(0, 10), step(1, 10), step(2, 10)])).toBeUndefined();
    expect(draw([step(0, 10), step(1, 10), step(2, 10), step(3, 10)])).toBeDefined();
  });

  it('puts the peak of each step on a scale from zero', () => {
    const shape = draw([
      step(0, 0),
      { ...step(0, 20), at: startAt + 900 },
      step(1, 10),
      step(2, 10),
      step(3, 20),
    ]);
    expect(shape?.line).toBe('M0 1L1 6L2 6L3 1');
    expect(shape?.area).toBe('M0 1L1 6L2 6L3 1V11H0Z');
  });

  it('draws noise below the least top as noise', () => {
    expect(draw([step(0, 1), step(1, 0), step(2, 1), step(3, 0)])?.line).toBe('M0 10L1 11L2 10L3 11');
  });

  it('leaves a gap where there was nothing, and bridges a single empty step', () => {
    expect(draw([step(0, 10), step(2, 10), step(9, 10), step(10, 10)])?.line).toBe('M0 1L2 1M9 1L10 1');
  });

  it('gives a lonely point a little length, and no hair down to the ground', () => {
    const shape = draw([...[0, 1, 2, 3].map((index) => step(index, 10)), step(9, 10)]);
    expect(shape?.line).toBe('M0 1L1 1L2 1L3 1M8 1L9 1');
    expect(shape?.area).toBe('M0 1L1 1L2 1L3 1V11H0Z');
  });

  it('begins anew with another process, and bridges no step in between', () => {
    const newcomer = (index: number): Sample => ({
      at: startAt + index * SPARK_STEP_MS,
      memoryBytes: 1,
      processCount: 1,
    });
    const drawMemory = (second: number) =>
      sparkShape(
        [
          ...[0, 1, 2, 3].map((index) => ({ ...step(index, 0), memoryBytes: 10 })),
          newcomer(second),
          { ...step(second + 1, 0), memoryBytes: 1 },
        ],
        'memoryBytes',
        endAt,
        frame,
      )?.line;
    expect(drawMemory(4)).toBe('M0 1L1 1L2 1L3 1M4 10L5 10');
    expect(drawMemory(5)).toBe('M0 1L1 1L2 1L3 1M5 10L6 10');
  });
});
