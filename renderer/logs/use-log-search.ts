import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ShownLine } from '../format/log-lines.ts';
import { useView } from '../services.ts';
import { createLogSearch, type LogSearchState } from './log-search.ts';

/** State of the search of this window over these lines. */
export function useLogSearch(lines: readonly ShownLine[]): LogSearchState {
  const [search] = useState(() => createLogSearch(() => performance.now()));
  const { words, isRegex, matchesCase } = useView((state) => state.logs);
  useEffect(() => search.take(lines), [search, lines]);
  useEffect(
    () => search.look({ words: isRegex ? words : words.trim(), isRegex, matchesCase }),
    [search, words, isRegex, matchesCase],
  );
  useEffect(() => () => search.dispose(), [search]);
  return useStore(search.state);
}
