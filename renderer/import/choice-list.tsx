import { CheckField } from '../ui/check-field.tsx';
import { targetOf, type Choice } from './choices.ts';
import styles from './choice-list.module.css';

interface ChoiceListProps {
  readonly choices: readonly Choice[];
  readonly ticked: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  /** Failures of the last import, by name. */
  readonly failures: Readonly<Record<string, string>>;
}

/** List of servers to tick. Those that are here already cannot be ticked. */
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
