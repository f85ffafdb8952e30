import type { Pattern } from '../../shared/restart-story.ts';
import { describePattern } from '../format/pattern-words.ts';
import styles from './restarts.module.css';

interface PatternListProps {
  readonly patterns: readonly Pattern[];
  /** Sentence of the pattern whose ends are shown; undefined if all are. */
  readonly chosen: string | undefined;
  readonly onChoose: (sentence: string | undefined) => void;
}

/** Common features of the ends, one sentence each; a press shows the ends that share the feature. */
export function PatternList({ patterns, chosen, onChoose }: PatternListProps) {
  return (
    <section aria-label="Patterns" className={styles.patterns}>
      <h2 className={styles.title}>Why did it restart?</h2>
      <ul>
        {patterns.map((pattern) => {
          const sentence = describePattern(pattern);
          const isChosen = sentence === chosen;
          return (
            <li key={sentence}>
              <button
                type="button"
                className={isChosen ? styles.chosen : styles.pattern}
                aria-pressed={isChosen}
                data-tip={isChosen ? 'Show all ends again' : 'Show only these'}
                onClick={() => onChoose(isChosen ? undefined : sentence)}
              >
                <span className={styles.share} aria-hidden="true">
                  <span style={{ width: `${Math.round((pattern.count / pattern.of) * 100)}%` }} />
                </span>
                {sentence}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
