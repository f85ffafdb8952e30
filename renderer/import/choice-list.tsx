import { AskFields } from '../entry/ask-fields.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ChangeList } from './change-list.tsx';
import { targetOf, type Choice } from './choices.ts';
import type { TakingOver } from './use-taking-over.ts';
import styles from './choice-list.module.css';

interface ChoiceListProps {
  readonly choices: readonly Choice[];
  readonly taking: TakingOver;
}

/** List of servers to tick, each with what it asks for. Those that are here already cannot be ticked. */
export function ChoiceList({ choices, taking }: ChoiceListProps) {
  return (
    <ul className={styles.list}>
      {choices.map((choice) => (
        <ChoiceItem key={choice.id} choice={choice} taking={taking} />
      ))}
    </ul>
  );
}

function ChoiceItem({ choice, taking }: { readonly choice: Choice; readonly taking: TakingOver }) {
  const { id, name, entry, status, words, asks, existing } = choice;
  const target = targetOf(entry);
  return (
    <li className={styles.item}>
      <CheckField
        name={name}
        isChecked={taking.ticked.has(id)}
        isDisabled={status === 'same'}
        onChange={() => taking.toggle(id)}
        label={
          <span className={styles.line}>
            <span className={styles.name}>{name}</span>
            <code className={styles.target} data-tip={target} data-tip-if-cut>
              {target}
            </code>
            <span className={styles[status]}>{words}</span>
          </span>
        }
        {...hintOf(choice, taking.failures[name])}
      />
      {(asks.length > 0 || existing !== undefined) && status !== 'same' && (
        <div className={styles.more}>
          {status !== 'twin' && (
            <AskFields
              name={`Values for ${name}`}
              asks={asks}
              answers={taking.answers[id] ?? {}}
              onAnswer={(ask, value) => taking.answer(choice, ask, value)}
            />
          )}
          {existing !== undefined && <ChangeList name={name} before={existing} after={entry} />}
        </div>
      )}
    </li>
  );
}

/** Why it failed, why it cannot work here, or what has to be done by hand; what weighs most comes first. */
function hintOf({ obstacle, problem }: Choice, failure: string | undefined) {
  const cannot = obstacle === undefined ? undefined : `Cannot work here: ${obstacle}.`;
  const lines = [failure, cannot, problem].filter((line) => line !== undefined);
  if (lines.length === 0) return {};
  const classOf = (line: string) =>
    line === failure ? styles.failure : line === cannot ? styles.obstacle : styles.problem;
  return {
    hint: lines.map((line) => (
      <span key={line} className={classOf(line)}>
        {line}
      </span>
    )),
  };
}
