import type { Series } from '../../shared/history.ts';

/** Slowest interval of the sampler and half of it, for a look that came late. */
const SLOW_LOOK_MS = 7500;

/**
 * Number of buckets from one with a figure to the next in which nothing ended: a sampler that looks every five seconds
 * leaves shorter buckets empty.
 */
const bridgedSteps = (stepMs: number): number => Math.max(1, Math.ceil(SLOW_LOOK_MS / stepMs));

/** Figures by step: averages, each held over the buckets that the sampler's pace leaves empty; undefined in a gap. */
export function heldFigures(
  { index, avg }: Pick<Series, 'index' | 'avg'>,
  steps: number,
  stepMs: number,
): readonly (number | undefined)[] {
  const figures = new Array<number | undefined>(steps).fill(undefined);
  const reach = bridgedSteps(stepMs);
  index.forEach((step, position) => {
    const next = index[position + 1];
    const end = next !== undefined && next - step <= reach ? next : step + 1;
    figures.fill(avg[position], step, Math.min(end, steps));
  });
  return figures;
}
