import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { LogLine } from '../format/log-lines.ts';
import { useOutput, useServices, useView } from '../services.ts';
import { everyLine, type LineSelection } from './line-selection.ts';
import { LogBar } from './log-bar.tsx';
import { LogEmpty } from './log-empty.tsx';
import { LogList } from './log-list.tsx';
import { toRows } from './log-rows.ts';
import { createLogSearch, type LogSearchState } from './log-search.ts';
import { useHitSteps } from './use-hit-steps.ts';
import styles from './server-logs.module.css';

const none: readonly LogLine[] = [];

/** Output of a server on stderr, live, over its last runs. */
export function ServerLogs({ name }: { readonly name: string }) {
  const { output, view } = useServices();
  useEffect(() => output.follow(name), [output, name]);
  const earlier = useOutput((state) => (state.server === name ? state.earlier : undefined));
  const ofNow = useOutput((state) => (state.server === name ? state.lines : none));
  const isLoaded = useOutput((state) => state.isLoaded) && earlier !== undefined;
  const all = useMemo(() => (earlier === undefined ? ofNow : [...earlier, ...ofNow]), [earlier, ofNow]);
  const choice = useView((state) => state.logs);
  const search = useLogSearch(all);
  // The filter that is shown is the one that was answered, because the lines belong to it.
  const isFiltering = choice.isFilter && search.matcher !== undefined;
  const shown = isFiltering ? search.hits : search.lines;
  const isWhole = !isFiltering && search.answers?.leastLevel === undefined;
  const rows = useMemo(() => toRows(shown, isWhole), [shown, isWhole]);
  const [selection, setSelection] = useState<LineSelection>();
  const steps = useHitSteps(search);
  return (
    <section className={styles.logs} aria-label="Output on stderr">
      <LogBar all={all} shown={shown} search={search} steps={steps} selection={selection} />
      <LogList
        rows={rows}
        lines={shown}
        filterKey={isWhole ? '' : JSON.stringify([search.answers, isFiltering])}
        search={search}
        wraps={choice.wraps}
        target={steps.target}
        selection={selection}
        onSelect={setSelection}
        onSelectAll={() => setSelection(everyLine(shown))}
        {...(isFiltering && {
          onShowContext: (id: number) => {
            view.setState({ logs: { ...choice, isFilter: false } });
            steps.goTo(id);
          },
        })}
      >
        <LogEmpty all={all.length} shown={shown.length} isLoaded={isLoaded && search.isDone} />
      </LogList>
    </section>
  );
}

/** Answer to the search of this window over these lines. */
function useLogSearch(lines: readonly LogLine[]): LogSearchState {
  const [search] = useState(() => createLogSearch(() => performance.now()));
  const { words, isRegex, matchesCase, leastLevel } = useView((state) => state.logs);
  useEffect(() => search.take(lines), [search, lines]);
  useEffect(
    () => search.look({ words: isRegex ? words : words.trim(), isRegex, matchesCase }, leastLevel),
    [search, words, isRegex, matchesCase, leastLevel],
  );
  useEffect(() => () => search.dispose(), [search]);
  return useStore(search.state);
}
