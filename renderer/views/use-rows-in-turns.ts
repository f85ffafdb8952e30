import { useEffect, useMemo, useState } from 'react';

/** Rows that come in one turn: making them takes about 5 ms, after which a key gets its answer. */
export const ROWS_PER_TURN = 12;
/** Part of the rows that are there which may come in one turn: each turn looks at all names, so that there must not be many. */
const SHARE_PER_TURN = 1 / 8;

/**
 * Which of these names have their row in the page. Rows that are there stay; new ones come from the top, a few with each
 * frame, because a hundred at once (a search that is cleared, a view that is opened) hold up the next key for as long as
 * all of them take.
 */
export function useRowsInTurns(names: readonly string[]): ReadonlySet<string> {
  const [before, setBefore] = useState<ReadonlySet<string>>(new Set<string>());
  const rows = useMemo(() => nextTurn(before, names), [before, names]);
  useEffect(() => {
    if (rows === before) return;
    const frame = requestAnimationFrame(() => setBefore(rows));
    return () => cancelAnimationFrame(frame);
  }, [rows, before]);
  return rows;
}

/** The rows of the turn after `before`; the same set where nothing changes. */
export function nextTurn(before: ReadonlySet<string>, names: readonly string[]): ReadonlySet<string> {
  const rows = new Set<string>();
  const most = Math.max(ROWS_PER_TURN, before.size * SHARE_PER_TURN);
  let added = 0;
  for (const name of names) {
    const isThere = before.has(name);
    if (!isThere && added >= most) continue;
    if (!isThere) added += 1;
    rows.add(name);
  }
  return added === 0 && rows.size === before.size ? before : rows;
}
