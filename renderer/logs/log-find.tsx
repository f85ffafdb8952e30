import { memo, type KeyboardEvent } from 'react';
import { formatCount, formatPlural } from '../format/figures.ts';
import type { LogChoice } from '../format/log-choice.ts';
import { shortcutOf } from '../commands/shortcuts.ts';
import { useServices, useView } from '../services.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { SearchField } from '../ui/search-field.tsx';
import type { LogSearchState } from './log-search.ts';
import { ToggleButton } from './toggle-button.tsx';
import type { HitSteps } from './use-hit-steps.ts';
import styles from './log-view.module.css';

interface LogFindProps {
  readonly search: LogSearchState;
  readonly steps: HitSteps;
  /** Whether there are log lines outside the searched ones, so that there may be more matches. */
  readonly isPart: boolean;
}

/** Search of a log: words or a pattern, which marks or filters lines, and steps between matches. */
export function LogFind({ search, steps, isPart }: LogFindProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  const change = (changes: Partial<LogChoice>) => view.setState({ logs: { ...choice, ...changes } });
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    steps.step(event.shiftKey ? -1 : 1);
  };
  const isSearching = search.matcher !== undefined;
  return (
    <div className={styles.find} role="search" aria-label="Search in the log" onKeyDown={press}>
      <WordsField />
      <ToggleButton
        label="Aa"
        name="Match case"
        isOn={choice.matchesCase}
        onChange={(matchesCase) => change({ matchesCase })}
      />
      <ToggleButton
        label=".*"
        name="Search for a pattern"
        tip="Search for a regular expression (RE2: no look-around, no back-references)"
        isOn={choice.isRegex}
        onChange={(isRegex) => change({ isRegex })}
      />
      <ToggleButton
        label="Filter"
        name="Show only matching lines"
        isOn={choice.isFilter}
        onChange={(isFilter) => change({ isFilter })}
      />
      <IconButton
        icon="up"
        name="Previous match"
        tip="Previous match  Shift+Enter, Shift+F3, N"
        disabled={!isSearching}
        onClick={() => steps.step(-1)}
      />
      <IconButton
        icon="down"
        name="Next match"
        tip="Next match  Enter, F3, n"
        disabled={!isSearching}
        onClick={() => steps.step(1)}
      />
      <span className={styles.hits} data-tip="Lines that match">
        {hitWords(search, steps.nth, isPart)}
      </span>
    </div>
  );
}

/** Component of its own, because React writes the attributes of a field at each rendering, and log lines come all the time. */
const WordsField = memo(function WordsField() {
  const { view } = useServices();
  const words = useView((state) => state.logs.words);
  return (
    <SearchField
      name="Search the logs"
      shortcut={shortcutOf('search')}
      words={words}
      onChange={(next) => view.setState(({ logs }) => ({ logs: { ...logs, words: next } }))}
      width="clamp(132px, 15vw, 260px)"
    />
  );
});

/** Text such as `3 of 12 lines`, with a plus if there may be more; empty without a search. */
function hitWords({ matcher, hits, isDone }: LogSearchState, nth: number, isPart: boolean): string {
  if (matcher === undefined) return '';
  if (hits.length === 0) return isDone ? 'No match' : '';
  const lines = isPart ? `${formatCount(hits.length)}+ lines` : formatPlural(hits.length, 'line');
  return nth === 0 ? lines : `${formatCount(nth)} of ${lines}`;
}
