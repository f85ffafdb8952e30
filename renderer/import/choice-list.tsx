import { AskFields } from '../entry/ask-fields.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ChangeList } from './change-list.tsx';
import type { Choice } from './choices.ts';
import { EntryPreview } from './entry-preview.tsx';
import { answersOf } from './ticks.ts';
import type { TakingOver } from './use-taking-over.ts';
import styles from './choice-list.module.css';

interface ChoiceListProps {
  readonly choices: readonly Choice[];
  readonly taking: TakingOver;
}

/** List of servers to tick, each with everything it runs and asks for. Existing servers cannot be ticked. */
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
  return (
    <li className={`${styles.item} hover:bg-hover`}>
      <CheckField
        name={name}
        isChecked={taking.ticked.has(id)}
        isDisabled={status === 'same'}
        onChange={() => taking.toggle(id)}
        label={
          <span className={styles.line}>
            <span className="truncate font-semibold">{name}</span>
            <span className={styles[status]}>{words}</span>
          </span>
        }
        {...hintOf(choice, taking.failures.get(name))}
      />
      <div className={`${styles.more} flex flex-col gap-8`}>
        <EntryPreview name={name} entry={entry} />
        {status !== 'same' && status !== 'twin' && (
          <AskFields
            name={`Values for ${name}`}
            asks={asks}
            answers={answersOf(choice, taking.answers)}
            onAnswer={(ask, value) => taking.answer(choice, ask, value)}
          />
        )}
        {status !== 'same' && existing !== undefined && (
          <ChangeList name={name} before={existing} after={entry} />
        )}
      </div>
    </li>
  );
}

/** Notes on a choice, the most important first: its failure, why it cannot work here, warnings, and manual steps. */
function hintOf({ obstacle, problem, warnings }: Choice, failure: string | undefined) {
  const cannot = obstacle === undefined ? undefined : `Cannot work here: ${obstacle}.`;
  const lines: readonly (readonly [line: string | undefined, look: string | undefined])[] = [
    [failure, `${styles.failure} text-failed`],
    [cannot, styles.obstacle],
    ...warnings.map((warning) => [warning, styles.warning] as const),
    [problem, styles.problem],
  ];
  const told = lines.filter(([line]) => line !== undefined);
  if (told.length === 0) return {};
  return {
    hint: told.map(([line, look]) => (
      <span key={line} className={look}>
        {line}
      </span>
    )),
  };
}
