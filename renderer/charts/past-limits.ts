import type { LimitsInForce } from '../../shared/history.ts';
import { joinedSpans, type LimitSetting, type LimitSpan } from './limit-spans.ts';

/**
 * Limits by the time they were in force, as the history kept them; equal neighbours are one span.
 * @param kept of one server, oldest first
 */
export function pastLimitSpans(
  kept: readonly LimitsInForce[],
  setting: LimitSetting,
  unit: number,
): readonly LimitSpan[] {
  return joinedSpans(
    kept.map((limits, index) => ({
      from: limits.from,
      to: kept[index + 1]?.from ?? Infinity,
      value: limits[setting] * unit,
    })),
  );
}
