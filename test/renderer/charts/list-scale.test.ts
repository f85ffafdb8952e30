import { describe, expect, it } from 'vitest';
import { listScale, shareOf } from '../../../renderer/charts/list-scale.ts';
import { sparkShape, SPARK_STEP_MS } from '../../../renderer/charts/sparkline-path.ts';
import { isOverWarning } from '../../../renderer/views/figure-cell.tsx';
import { aSample, aServer } from '../builders.ts';

const curve = (memoryBytes: number) =>
  Array.from({ length: 10 }, (_, step) => aSample(step * SPARK_STEP_MS + 1, { memoryBytes, cpuPercent: 5 }));
const curves: Readonly<Record<string, ReturnType<typeof curve>>> = {
  small: curve(2),
  large: curve(50),
  down: [],
};
const servers = [
  aServer('small', { sample: aSample(1, { memoryBytes: 2, cpuPercent: 5 }) }),
  aServer('large', { sample: aSample(1, { memoryBytes: 38, cpuPercent: 15 }) }),
  aServer('down'),
];
const scale = listScale(servers, (name) => curves[name] ?? [], 60_000);

describe('the scale of a list', () => {
  it('is as high as the highest curve, and adds up what is used now', () => {
    expect(scale).toMatchObject({ top: { memory: 50, cpu: 5 }, total: { memory: 40, cpu: 20 } });
  });

  it('shows the time that the longest curve has, five minutes at most', () => {
    const spanAt = (endAt: number) => listScale(servers, (name) => curves[name] ?? [], endAt).spanMs;
    expect([20_000, 60_001, 60_002, 120_002, 900_000].map(spanAt)).toEqual([
      60_000, 60_000, 120_000, 300_000, 300_000,
    ]);
  });

  it('draws a short curve over the whole width of a short time', () => {
    const shape = sparkShape(curves['large']!, 'memoryBytes', 60_000, {
      width: 96,
      height: 18,
      leastTop: 1,
      spanMs: 60_000,
    });
    expect(shape!.line).toMatch(/^M0 1L/);
    expect(shape!.line).toMatch(/L78\.5 1$/);
  });

  it('draws what is small as small', () => {
    const heightOf = (name: string) => {
      const shape = sparkShape(curves[name]!, 'memoryBytes', 60_000, {
        width: 96,
        height: 18,
        leastTop: scale.top.memory,
      });
      return 18 - Number(/^M[\d.]+ ([\d.]+)/.exec(shape!.line)![1]);
    };
    expect(heightOf('large')).toBe(17);
    expect(heightOf('small')).toBeLessThan(1);
  });

  it('fills a cell by the share of all', () => {
    expect(shareOf(scale, 'memory', 38)).toBeCloseTo(0.96, 5);
    expect(shareOf(scale, 'memory', 2)).toBeCloseTo(0.06, 5);
    expect(shareOf(scale, 'memory', undefined)).toBe(0);
    expect(shareOf(undefined, 'memory', 2)).toBe(0);
    // A figure newer than the sum never fills more than all.
    expect(shareOf(scale, 'cpu', 400)).toBe(1);
  });

  it('makes no share of what is next to nothing', () => {
    const idle = listScale([aServer('one', { sample: aSample(1, { cpuPercent: 0.1 }) })], () => [], 60_000);
    expect(shareOf(idle, 'cpu', 0.1)).toBeLessThan(0.05);
  });
});

describe('the warning of CPU', () => {
  const at = (...percents: number[]) => percents.map((cpuPercent, index) => aSample(index, { cpuPercent }));

  it('is there while every one of the last samples is over it', () => {
    expect(isOverWarning(at(101, 90, 95), 80)).toBe(true);
    expect(isOverWarning(at(101, 79, 95), 80)).toBe(false);
    expect(isOverWarning(at(80, 80, 80), 80)).toBe(false);
    expect(isOverWarning(at(101, 101), 80)).toBe(false);
  });
});
