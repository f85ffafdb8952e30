import type { ReactNode } from 'react';
import type { ShownLine } from '../format/log-lines.ts';
import { formatPlural } from '../format/figures.ts';
import { useServices, useView } from '../services.ts';
import type { LogQuery } from '../store/log-query.ts';
import { CopyLinesButton } from './copy-lines-button.tsx';
import { ExportLinesButton } from './export-lines-button.tsx';
import { LogFind } from './log-find.tsx';
import type { LogSearchState } from './log-search.ts';
import { ToggleButton } from './toggle-button.tsx';
import type { HitSteps } from './use-hit-steps.ts';
import styles from './log-view.module.css';

interface LogBarProps {
  readonly search: LogSearchState;
  readonly steps: HitSteps;
  readonly shown: readonly ShownLine[];
  readonly selected: readonly ShownLine[];
  readonly query: LogQuery;
  readonly isOfOne: boolean;
  /** Whether there are lines outside the window held by the page. */
  readonly isPart: boolean;
  /** Heading of the view. */
  readonly children: ReactNode;
}

/** Bar with the search of a log and the actions for its lines. */
export function LogBar({ search, steps, shown, selected, query, isOfOne, isPart, children }: LogBarProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  return (
    <header className={styles.bar}>
      {children}
      <LogFind search={search} steps={steps} isPart={isPart} />
      <div className={styles.tools}>
        <ToggleButton
          icon="wrap"
          name="Wrap long lines"
          isOn={choice.wraps}
          onChange={(wraps) => view.setState({ logs: { ...choice, wraps } })}
        />
        {selected.length > 0 ? (
          <CopyLinesButton
            lines={selected}
            isOfOne={isOfOne}
            name={`Copy ${formatPlural(selected.length, 'selected line')}`}
          />
        ) : (
          shown.length > 0 && <CopyLinesButton lines={shown} isOfOne={isOfOne} name="Copy the lines shown" />
        )}
        <ExportLinesButton query={query} isOfOne={isOfOne} />
      </div>
    </header>
  );
}
