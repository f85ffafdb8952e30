import { BYTES_PER_MIB } from '../../shared/units.ts';
import { trimZeros } from '../format/figures.ts';

export interface ValueAxis {
  /** Ticks from zero up, evenly spaced; the last one is the top of the axis. */
  readonly ticks: readonly number[];
  readonly top: number;
}

const decimalSteps = [1, 2, 5];
const DEFAULT_MAX_TICKS = 4;

/** Axis for memory in steps of 1, 2, 4, 8 … MiB, the numbers that memory comes in. */
export function memoryAxis(peakBytes: number | undefined, maxTicks = DEFAULT_MAX_TICKS): ValueAxis {
  return buildAxis(peakBytes ?? 0, maxTicks, (exponent) => BYTES_PER_MIB * 2 ** exponent);
}

/**
 * Axis in steps of 1, 2, 5, 10 …; the top is at least `leastTop`, so that noise near zero is drawn as noise.
 */
export function decimalAxis(
  peak: number | undefined,
  leastTop: number,
  maxTicks = DEFAULT_MAX_TICKS,
): ValueAxis {
  const stepAt = (index: number) => (decimalSteps[index % 3] ?? 1) * 10 ** Math.floor(index / 3);
  return buildAxis(Math.max(peak ?? 0, leastTop), maxTicks, stepAt);
}

/** Tick in as few characters as possible: `64 MiB`, `1.5 GiB`, `5 %`, and a bare zero. */
export function formatTick(value: number, format: (value: number) => string): string {
  return value === 0 ? '0' : trimZeros(format(value));
}

/**
 * Labels of the ticks of an axis. Where all have one unit, only the top names it, so that it is seen at one
 * glance.
 */
export function tickLabels(
  ticks: readonly number[],
  format: (value: number) => string,
): ReadonlyMap<number, string> {
  const labels = ticks.map((value) => formatTick(value, format));
  const units = new Set(labels.slice(1).map(unitOf));
  const hasOneUnit = units.size === 1 && !units.has('');
  const top = ticks.length - 1;
  return new Map(
    ticks.map((value, index) => {
      const label = labels[index] ?? '';
      return [value, hasOneUnit && index !== top ? (label.split(' ')[0] ?? '') : label];
    }),
  );
}

const unitOf = (label: string): string => label.split(' ').slice(1).join(' ');

/** Axis with the smallest step at which no more than `maxTicks` ticks, zero included, reach the peak. */
function buildAxis(peak: number, maxTicks: number, stepAt: (index: number) => number): ValueAxis {
  let index = 0;
  while (stepAt(index) * (maxTicks - 1) < peak) index += 1;
  const step = stepAt(index);
  const count = Math.max(1, Math.ceil(peak / step));
  const ticks = Array.from({ length: count + 1 }, (_, tick) => tick * step);
  return { ticks, top: count * step };
}
