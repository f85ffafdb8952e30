import type { Series, SeriesReply } from '../../shared/history.ts';
import type { ChartRow } from '../charts/downsample.ts';
import { bridgedSteps } from '../usage/bridge.ts';

/**
 * Rows of a curve, each in the middle of its bucket, with a null row per gap.
 * @param isSparse whether it is measured only now and then, so that only an absence of the panel is a gap
 */
export function compareRows(
  { index, min, avg, max }: Series,
  { from, to, stepMs, absences }: Pick<SeriesReply, 'from' | 'to' | 'stepMs' | 'absences'>,
  isSparse: boolean,
): readonly ChartRow[] {
  const reach = bridgedSteps(stepMs);
  const middleOf = (step: number) => from + step * stepMs + Math.min(stepMs, to - from - step * stepMs) / 2;
  return index.flatMap((step, position) => {
    const at = middleOf(step);
    const row = { at, average: avg[position]!, least: min[position]!, most: max[position]! };
    const before = index[position - 1];
    if (before === undefined) return [row];
    const beforeAt = middleOf(before);
    const isGap = isSparse
      ? absences.some((absence) => absence.from < at && absence.to > beforeAt)
      : step - before > reach;
    return isGap ? [{ at: (beforeAt + at) / 2, average: null, least: null, most: null }, row] : [row];
  });
}
