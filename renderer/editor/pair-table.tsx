import { TextInput } from '@mantine/core';
import { useId, useRef, useState, type ClipboardEvent } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { type Pair, parseAssignments } from './server-draft.ts';

interface PairTableProps {
  readonly label: string;
  /** Noun for one name and value: "variable", "header". */
  readonly noun: string;
  readonly pairs: readonly Pair[];
  readonly error: string | undefined;
  /** True if the table gets the focus: the first row without a value, else the first row, else the button that adds a row. */
  readonly hasFocus?: boolean;
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Table of names and values. Values are masked until the user reveals them. Lines of `NAME=value` can be pasted. */
export function PairTable({ label, noun, pairs, error, hasFocus = false, onChange }: PairTableProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const [first] = useState(() => (hasFocus ? firstToFill(pairs) : undefined));
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const change = (index: number, changes: Partial<Pair>) =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...changes } : pair)));
  const add = () => {
    onChange([...pairs, { name: '', value: '' }]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus());
  };
  const paste = (event: ClipboardEvent, index: number) => {
    const pasted = parseAssignments(event.clipboardData.getData('text'));
    if (pasted === undefined) return;
    event.preventDefault();
    onChange([...pairs.slice(0, index), ...pasted, ...pairs.slice(index + 1)]);
  };
  return (
    <div className="items-start form-row" role="group" aria-labelledby={id}>
      <span id={id} className="py-6 label">
        {label}
      </span>
      <div>
        <ul ref={list}>
          {pairs.map((pair, index) => (
            <PairRow
              key={index}
              pair={pair}
              nth={`${noun} ${index + 1}`}
              isRevealed={isRevealed}
              isFirst={index === first}
              onChange={(changes) => change(index, changes)}
              onPaste={(event) => paste(event, index)}
              onRemove={() => onChange(pairs.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
        {error !== undefined && <p className="-mt-2 text-12 text-failed">{error}</p>}
        <p className="flex gap-16 pt-4 pb-2 text-12">
          <TextButton look="link" data-autofocus={first === NO_ROW || undefined} onClick={add}>
            {`Add ${noun}`}
          </TextButton>
          {pairs.some(({ value }) => value !== '') && (
            <TextButton look="link" onClick={() => setIsRevealed(!isRevealed)} aria-pressed={isRevealed}>
              {isRevealed ? 'Hide values' : 'Show values'}
            </TextButton>
          )}
        </p>
      </div>
    </div>
  );
}

interface PairRowProps {
  readonly pair: Pair;
  /** Label of the row if it has no name: "variable 2". */
  readonly nth: string;
  readonly isRevealed: boolean;
  readonly isFirst: boolean;
  readonly onChange: (changes: Partial<Pair>) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
  readonly onRemove: () => void;
}

const field = {
  size: 'xs',
  spellCheck: false,
  autoComplete: 'off',
  classNames: { input: 'text-12 font-mono' },
} as const;

function PairRow({ pair, nth, isRevealed, isFirst, onChange, onPaste, onRemove }: PairRowProps) {
  return (
    <li className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_28px] items-center gap-6 mb-6">
      <TextInput
        {...field}
        aria-label={`Name of ${nth}`}
        placeholder="Name"
        value={pair.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        onPaste={onPaste}
      />
      <TextInput
        {...field}
        type={isRevealed ? 'text' : 'password'}
        data-autofocus={isFirst || undefined}
        aria-label={`Value of ${pair.name || nth}`}
        placeholder="Value"
        value={pair.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <IconButton icon="close" name={`Remove ${pair.name || nth}`} onClick={onRemove} />
    </li>
  );
}

const NO_ROW = -1;

/** Index of the first row without a value, else of the first row; `NO_ROW` if there are no rows. */
function firstToFill(pairs: readonly Pair[]): number {
  const empty = pairs.findIndex(({ value }) => value === '');
  return empty >= 0 ? empty : pairs.length > 0 ? 0 : NO_ROW;
}
