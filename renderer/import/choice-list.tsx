import { CheckField } from '../ui/check-field.tsx';
import { targetOf, type Choice } from './choices.ts';
import styles from './choice-list.module.css';

interface ChoiceListProps {
  readonly choices: readonly Choice[];
  readonly ticked: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  /** By name: why the last try to take it over failed. */
  readonly failures: Readonly<Record<string, string>>;
}

/** Servers to tick. What is here already cannot be. */
export function ChoiceList({ choices, ticked, onToggle, failures }: ChoiceListProps) {
  return (
    <ul className={styles.list}>
      {choices.map(({ id, name, entry, status, words, problem }) => (
        <li key={id} className={styles.item}>
          <CheckField
            name={name}
            isChecked={ticked.has(id)}
            isDisabled={status === 'same'}
            onChange={() => onToggle(id)}
            label={
              <span className={styles.line}>
                <span className={styles.name}>{name}</span>
                <code className={styles.target} data-tip={targetOf(entry)} data-tip-if-cut>
                  {targetOf(entry)}
                </code>
                <span className={styles[status]}>{words}</span>
              </span>
            }
            {...((failures[name] ?? problem) !== undefined && {
              hint: (
                <span className={failures[name] ? styles.failure : styles.problem}>
                  {failures[name] ?? problem}
                </span>
              ),
            })}
          />
        </li>
      ))}
    </ul>
  );
}
