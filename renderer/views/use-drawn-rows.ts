import { useMemo } from 'react';
import { useNearRows, type NearRows } from './near-rows.ts';

/** A list of so many is drawn whole. */
const WHOLE_LIST = 30;
/** Rows that are drawn before it is known what is in view. */
const HEAD_ROWS = 12;

/**
 * Which rows of a list are drawn whole: those near what is in view. The others have the name alone, with which they are
 * found by keys and screen readers, and cost nothing when figures come.
 */
export function useDrawnRows(shown: readonly string[]): {
  readonly drawn: ReadonlySet<string>;
  readonly nearRows: NearRows;
} {
  const { near, rows: nearRows } = useNearRows();
  const drawn = useMemo(() => drawnRows(shown, near), [shown, near]);
  return { drawn, nearRows };
}

/** @param near rows near what is in view, as far as that is known */
export function drawnRows(shown: readonly string[], near: ReadonlySet<string>): ReadonlySet<string> {
  if (shown.length <= WHOLE_LIST) return new Set(shown);
  return new Set(shown.filter((name, place) => place < HEAD_ROWS || near.has(name)));
}
