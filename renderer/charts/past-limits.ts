import type { LimitsInForce } from '../../shared/history.ts';
import type { LimitSetting, LimitSpan } from './limit-spans.ts';

/**
 * Limits by the time they were in force, as the history kept them; equal neighbours are one span.
 * @param kept of one server, oldest first
 */
export function pastLimitSpans(
  kept: readonly LimitsInForce[],
  setting: LimitSetting,
  unit: number,
): readonly LimitSpan[] {
  const spans: LimitSpan[] = [];
  kept.forEach((limits, index) => {
    const value = limits[setting] * unit;
    const to = kept[index + 1]?.from ?? Infinity;
    const last = spans.at(-1);
    if (last?.value === value) spans[spans.length - 1] = { ...last, to };
    else spans.push({ from: limits.from, to, value });
  });
  return spans;
}
