import { NativeSelect } from '@mantine/core';
import { formatCount, formatPlural } from '../format/figures.ts';
import { logLevels } from '../../shared/log-level.ts';
import type { LogLine } from '../format/log-lines.ts';
import { useServices, useView } from '../services.ts';
import { CopyLinesButton } from './copy-lines-button.tsx';
import { levelNames } from './level-names.ts';
import { selectedLines, type LineSelection } from './line-selection.ts';
import { LogFind } from './log-find.tsx';
import type { LogSearchState } from './log-search.ts';
import { ToggleButton } from './toggle-button.tsx';
import type { HitSteps } from './use-hit-steps.ts';
import styles from './server-logs.module.css';

interface LogBarProps {
  readonly all: readonly LogLine[];
  readonly shown: readonly LogLine[];
  readonly search: LogSearchState;
  readonly steps: HitSteps;
  readonly selection: LineSelection | undefined;
}

/** What a log is, what is searched in it, and what is shown of it. */
export function LogBar({ all, shown, search, steps, selection }: LogBarProps) {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  const selected = selectedLines(shown, selection);
  const isPart = shown.length !== all.length;
  return (
    <header className={styles.bar}>
      <h2 className={styles.headline}>{headline(shown.length, all.length)}</h2>
      <LogFind search={search} steps={steps} />
      <div className={styles.tools}>
        <LevelField />
        <ToggleButton
          icon="wrap"
          name="Wrap long lines"
          isOn={choice.wraps}
          onChange={(wraps) => view.setState({ logs: { ...choice, wraps } })}
        />
        {selected.length > 0 ? (
          <CopyLinesButton lines={selected} name={`Copy ${formatPlural(selected.length, 'selected line')}`} />
        ) : (
          shown.length > 0 && (
            <CopyLinesButton lines={shown} name={isPart ? 'Copy the lines found' : 'Copy all lines'} />
          )
        )}
      </div>
      <p className={styles.note} role="status">
        {search.problem !== undefined && <span className={styles.problem}>{search.problem}</span>}
        {selected.length > 0 && `${formatPlural(selected.length, 'line')} selected · ${copyWords}`}
      </p>
    </header>
  );
}

const copyWords = 'Ctrl+C copies them · Shift+click and Shift+↑↓ extend · Esc lets go';

/** Choice of the least severity that is shown. */
function LevelField() {
  const { view } = useServices();
  const choice = useView((state) => state.logs);
  return (
    <NativeSelect
      size="xs"
      w={144}
      aria-label="Level"
      data-tip="Lines that tell no level are shown under “Every line” only"
      value={choice.leastLevel ?? ''}
      data={[
        { value: '', label: 'Every line' },
        ...logLevels.map((level) => ({ value: level, label: levelNames[level] })),
      ]}
      onChange={({ currentTarget: { value } }) =>
        view.setState({ logs: { ...choice, leastLevel: logLevels.find((level) => level === value) } })
      }
    />
  );
}

function headline(shown: number, all: number): string {
  if (all === 0) return 'stderr';
  if (shown === all) return `stderr, ${formatPlural(all, 'line')}`;
  return `stderr, ${formatCount(shown)} of ${formatPlural(all, 'line')}`;
}
