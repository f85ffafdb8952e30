import type { FoundEnd } from './run-ends.ts';

/** Share of ends that show a pattern: their count, and the total. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** Ids of the ends that show the pattern, newest first. */
  readonly ends: string[];
}

/** Minimum number of ends that make a pattern; fewer are a coincidence. */
export const LEAST_ENDS = 3;
const MAX_IDS = 500;

/** True for crashes, stalls and limit breaches: failures of a run that was up. */
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

/** List with the share, or an empty list if the share is too small to be named. */
export function namedShare(
  own: readonly FoundEnd[],
  all: readonly FoundEnd[],
  leastFraction: number,
): readonly Share[] {
  const isNamed = own.length >= LEAST_ENDS && own.length >= all.length * leastFraction;
  return isNamed ? [lostShareOf(own, all)] : [];
}
