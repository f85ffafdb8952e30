import type { FoundEnd } from './run-ends.ts';

/** Share of ends that show a pattern: so many of so many. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** Ids of the ends that show it, newest first. */
  readonly ends: string[];
}

/** Fewest ends that are a pattern; fewer are a coincidence. */
export const LEAST_ENDS = 3;
const MAX_IDS = 500;

/** Crashes, stalls and breaches of limits: what went wrong with a run that was up. */
export const isFault = ({ cause }: FoundEnd): boolean =>
  cause === 'crash' || cause === 'stall' || cause === 'limit';

export const lostShareOf = (own: readonly FoundEnd[], all: readonly FoundEnd[]): Share => ({
  count: own.length,
  of: all.length,
  ends: own
    .slice(-MAX_IDS)
    .map(({ id }) => id)
    .toReversed(),
});

/** The share, in a list that is empty where it is too small to be named. */
export function namedShare(
  own: readonly FoundEnd[],
  all: readonly FoundEnd[],
  leastFraction: number,
): readonly Share[] {
  const isNamed = own.length >= LEAST_ENDS && own.length >= all.length * leastFraction;
  return isNamed ? [lostShareOf(own, all)] : [];
}
