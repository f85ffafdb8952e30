import type { Day } from './line.ts';
import { DAY_MS } from '../../../shared/units.ts';

/** Lowest and highest memory of an hour. */
export interface Hour {
  readonly at: number;
  readonly min: number;
  readonly max: number;
}

/** Days of 24 hours, counted back from `until`, oldest first; days without a figure are left out. */
export function daysUntil(until: number, hours: readonly Hour[]): readonly Day[] {
  const days = new Map<number, Day>();
  for (const hour of hours) {
    if (hour.at >= until) continue;
    const number = Math.ceil((until - hour.at) / DAY_MS);
    const day = days.get(number);
    days.set(number, {
      at: Math.min(hour.at, day?.at ?? hour.at),
      min: Math.min(hour.min, day?.min ?? hour.min),
      max: Math.max(hour.max, day?.max ?? hour.max),
    });
  }
  return [...days].sort(([one], [other]) => other - one).map(([, day]) => day);
}
