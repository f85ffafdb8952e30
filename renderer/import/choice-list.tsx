import { AskFields } from '../entry/ask-fields.tsx';
import { CheckField } from '../ui/check-field.tsx';
import { ChangeList } from './change-list.tsx';
import type { Choice } from './choices.ts';
import { EntryPreview } from './entry-preview.tsx';
import { answersOf } from './ticks.ts';
import type { TakingOver } from './use-taking-over.ts';

interface ChoiceListProps {
  readonly choices: readonly Choice[];
  readonly taking: TakingOver;
}

/**
 * List of servers that the user can select for import, each with everything that it runs and the values that it needs. A server
 * that the panel already has cannot be selected.
 */
export function ChoiceList({ choices, taking }: ChoiceListProps) {
  return (
    <ul className="border border-line rounded-lg bg-raised overflow-hidden">
      {choices.map((choice) => (
        <ChoiceItem key={choice.id} choice={choice} taking={taking} />
      ))}
    </ul>
  );
}

const statusLooks: Readonly<Record<Choice['status'], string>> = {
  new: '',
  same: 'text-dim',
  twin: 'text-dim',
  different: 'font-semibold',
};

function ChoiceItem({ choice, taking }: { readonly choice: Choice; readonly taking: TakingOver }) {
  const { id, name, entry, status, words, asks, existing } = choice;
  return (
    <li className="py-8 px-12 border-line not-first:border-t [&>label>span]:flex-1 hover:bg-hover">
      <CheckField
        name={name}
        isChecked={taking.ticked.has(id)}
        isDisabled={status === 'same'}
        onChange={() => taking.toggle(id)}
        label={
          <span className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-12">
            <span className="truncate font-semibold">{name}</span>
            <span className={`text-12 text-right ${statusLooks[status]}`}>{words}</span>
          </span>
        }
        {...hintOf(choice, taking.failures.get(name))}
      />
      {/* The details of a server are shown below its name, indented past the checkbox. */}
      <div className="flex flex-col gap-8 pt-8 pb-4 pl-(--indent) [&>button]:self-start [&>button]:text-12">
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

/** Returns the notes on a choice, the most important first: its failure, why it cannot work here, warnings, and manual steps. */
function hintOf({ obstacle, problem, warnings }: Choice, failure: string | undefined) {
  const cannot = obstacle === undefined ? undefined : `Cannot work here: ${obstacle}.`;
  const lines: readonly (readonly [line: string | undefined, look: string | undefined])[] = [
    [failure, 'block pt-2 text-failed'],
    [cannot, 'block pt-2 text-backoff'],
    ...warnings.map((warning) => [warning, 'block pt-2 text-backoff'] as const),
    [problem, 'block pt-2'],
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
