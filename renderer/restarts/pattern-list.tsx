import type { Pattern } from '../../shared/restart-story.ts';
import { describePattern } from '../format/pattern-words.ts';
import styles from './restarts.module.css';

interface PatternListProps {
  readonly patterns: readonly Pattern[];
  readonly chosen: Pattern['kind'] | undefined;
  readonly onChoose: (kind: Pattern['kind'] | undefined) => void;
}

/** What the ends have in common, in sentences; each shows the ends that it is about. */
export function PatternList({ patterns, chosen, onChoose }: PatternListProps) {
  return (
    <section aria-label="Patterns" className={styles.patterns}>
      <h2 className={styles.title}>Why did it restart?</h2>
      <ul>
        {patterns.map((pattern) => {
          const isChosen = pattern.kind === chosen;
          return (
            <li key={`${pattern.kind} ${describePattern(pattern)}`}>
              <button
                type="button"
                className={isChosen ? styles.chosen : styles.pattern}
                aria-pressed={isChosen}
                data-tip={isChosen ? 'Show all ends again' : 'Show only these'}
                onClick={() => onChoose(isChosen ? undefined : pattern.kind)}
              >
                <span className={styles.share} aria-hidden="true">
                  <span style={{ width: `${Math.round((pattern.count / pattern.of) * 100)}%` }} />
                </span>
                {describePattern(pattern)}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
