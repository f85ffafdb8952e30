import { describe, expect, it } from 'vitest';
import { formatCpu, formatMemory } from '../../../renderer/format/figures.ts';
import { formatDate, formatWeekdayDate } from '../../../renderer/format/moments.ts';
import {
  decimalAxis,
  formatTick,
  memoryAxis,
  stepMsFor,
  timeTicks,
  windowEndingAt,
  zoomInto,
} from '../../../renderer/charts/axis.ts';
import { fittingSpanMs, liveSpans } from '../../../renderer/store/span-choice.ts';
import { chartFigures } from '../../../renderer/charts/figures.ts';
import { axisWithin, limitsWithin } from '../../../renderer/charts/limits.ts';
import { DAY_MS } from '../../../shared/units.ts';

const MIB = 1024 * 1024;
const at = (time: string) => new Date(`2026-03-04T${time}`).getTime();

describe('timeTicks', () => {
  it('labels an hour with at most six round times', () => {
    const ticks = timeTicks({ from: at('19:47:13'), to: at('20:47:13') });
    expect(ticks.map((tick) => tick.label)).toEqual(['19:50', '20:00', '20:10', '20:20', '20:30', '20:40']);
  });

  it('has six at most wherever the window lies, seven where they are days', () => {
    for (const { spanMs } of liveSpans) {
      for (let shift = 0; shift < 3600; shift += 7) {
        const to = at('20:00:00') + shift * 1000;
        const ticks = timeTicks({ from: to - spanMs, to });
        expect(ticks.length).toBeLessThanOrEqual(spanMs >= 7 * DAY_MS ? 7 : 6);
        expect(ticks.length).toBeGreaterThanOrEqual(3);
        for (const tick of ticks) {
          expect(tick.at).toBeGreaterThan(to - spanMs);
          expect(tick.at).toBeLessThanOrEqual(to);
        }
      }
    }
  });

  it('names midnights by their day, and the days of a week by their names', () => {
    const day = timeTicks({ from: at('09:00') - DAY_MS, to: at('09:00') });
    expect(day.map(({ label }) => label)).toEqual(['12:00', '18:00', formatDate(at('00:00')), '06:00']);
    const week = timeTicks({ from: at('09:00') - 7 * DAY_MS, to: at('09:00') });
    expect(week).toHaveLength(7);
    expect(week.at(-1)).toEqual({ at: at('00:00'), label: formatWeekdayDate(at('00:00')) });
  });

  it('counts the days of months from a Monday, so that they stay where they are from day to day', () => {
    const ticksOf = (to: number) => timeTicks({ from: to - 90 * DAY_MS, to }).map((tick) => tick.at);
    const [today, tomorrow] = [ticksOf(at('09:00')), ticksOf(at('09:00') + DAY_MS)];
    expect(today.every((tick) => new Date(tick).getDay() === 1)).toBe(true);
    expect(tomorrow.filter((tick) => today.includes(tick)).length).toBeGreaterThanOrEqual(5);
  });

  it('shows seconds only below a minute', () => {
    const ticks = timeTicks({ from: at('20:40:02'), to: at('20:41:02') });
    expect(ticks[0]?.label).toBe('20:40:10');
  });
});

describe('the shown span', () => {
  const now = at('20:00:00');

  it('is the shortest that holds all there is', () => {
    expect(fittingSpanMs(undefined, now)).toBe(300_000);
    expect(fittingSpanMs(now - 299_000, now)).toBe(300_000);
    expect(fittingSpanMs(now - 301_000, now)).toBe(3_600_000);
    expect(fittingSpanMs(now - 5_000_000, now)).toBe(3_600_000);
  });

  it('moves in steps, always holds the present, and a second more for clocks that are ahead', () => {
    const window = windowEndingAt(12_345, 300_000);
    expect(window).toEqual({ from: -285_000, to: 15_000 });
    expect(windowEndingAt(13_999, 300_000)).toEqual(window);
    expect(windowEndingAt(14_000, 300_000).to).toBe(20_000);
  });

  it('stands still for a sixtieth of its span', () => {
    expect(liveSpans.slice(0, 2).map(({ spanMs }) => stepMsFor(spanMs))).toEqual([5000, 60_000]);
  });
});

describe('a zoomed window', () => {
  it('keeps an instant in its place while it halves', () => {
    expect(zoomInto({ from: 0, to: 400_000 }, 100_000)).toEqual({ from: 50_000, to: 250_000 });
  });
});

describe('value axes', () => {
  it.each([
    [182 * MIB, [0, 64, 128, 192]],
    [130 * MIB, [0, 64, 128, 192]],
    [240 * MIB, [0, 128, 256]],
    [1, [0, 1]],
    [1100 * MIB, [0, 512, 1024, 1536]],
  ])('for memory up to %d bytes has ticks at powers of two', (peak, mib) => {
    expect(memoryAxis(peak).ticks.map((tick) => tick / MIB)).toEqual(mib);
  });

  it('for percent counts in 1, 2, 5', () => {
    expect(decimalAxis(42, 10).ticks).toEqual([0, 20, 40, 60]);
    expect(decimalAxis(0.3, 10).ticks).toEqual([0, 5, 10]);
    expect(decimalAxis(undefined, 10).ticks).toEqual([0, 5, 10]);
    expect(decimalAxis(390, 10).ticks).toEqual([0, 200, 400]);
  });

  it('starts at zero, reaches the peak, and has at most four ticks', () => {
    for (let peak = 1; peak < 1e6; peak = Math.ceil(peak * 1.37)) {
      for (const axis of [memoryAxis(peak * MIB), decimalAxis(peak, 1)]) {
        expect(axis.ticks[0]).toBe(0);
        expect(axis.ticks.length).toBeLessThanOrEqual(4);
        expect(axis.top).toBe(axis.ticks.at(-1));
      }
      expect(memoryAxis(peak * MIB).top).toBeGreaterThanOrEqual(peak * MIB);
      expect(decimalAxis(peak, 1).top).toBeGreaterThanOrEqual(peak);
    }
  });

  it('writes ticks without superfluous digits', () => {
    expect(formatTick(0, formatMemory)).toBe('0');
    expect(formatTick(64 * MIB, formatMemory)).toBe('64 MiB');
    expect(formatTick(1536 * MIB, formatMemory)).toBe('1.5 GiB');
    expect(formatTick(1024 * MIB, formatMemory)).toBe('1 GiB');
    expect(formatTick(5, formatCpu)).toBe('5 %');
    expect(formatTick(100, formatCpu)).toBe('100 %');
  });
});

describe('limits', () => {
  const limits = { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 };
  const [memory, cpu, files, processes] = chartFigures;

  it('are known in the unit of their figure', () => {
    const limitOf = (figure = memory) =>
      limitsWithin(figure!, [], { from: 0, to: 1 }, { server: { name: 'memory', limits }, events: [] }).map(
        ({ value, words }) => [value, words],
      );
    expect(limitOf(memory)).toEqual([[1024 * MIB, 'limit 1 GiB']]);
    expect(limitOf(cpu)).toEqual([[80, 'warns above 80 %']]);
    expect(limitOf(files)).toEqual([[1000, 'limit 1000 per process']]);
    expect(limitOf(processes)).toEqual([]);
  });

  it('are within the axis only when the curve comes within half of them', () => {
    const topFor = (peak: number | undefined) => axisWithin(memory!, peak, [{ value: 1024 * MIB }]).top / MIB;
    expect(topFor(undefined)).toBeLessThan(1024);
    expect(topFor(182 * MIB)).toBe(192);
    expect(topFor(511 * MIB)).toBeLessThan(1024);
    expect(topFor(512 * MIB)).toBe(1024);
    expect(topFor(1100 * MIB)).toBe(1536);
  });

  it('leave the axis to those that the curve comes near to', () => {
    const topFor = (peak: number) =>
      axisWithin(memory!, peak, [{ value: 180 * MIB }, { value: 1024 * MIB }]).top / MIB;
    expect(topFor(100 * MIB)).toBe(192);
    expect(topFor(512 * MIB)).toBe(1024);
  });
});
