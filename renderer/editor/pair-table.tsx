import { TextInput } from '@mantine/core';
import { useId, useRef, useState, type ClipboardEvent } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { parseAssignments } from './command-line.ts';
import type { Pair } from './server-draft.ts';
import styles from './pair-table.module.css';

interface PairTableProps {
  readonly label: string;
  /** Noun for a pair: "variable", "header". */
  readonly noun: string;
  readonly pairs: readonly Pair[];
  readonly error: string | undefined;
  /** Whether the first value to fill in has the focus first, or what adds one. */
  readonly hasFocus?: boolean;
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Table of names and values, the values masked until revealed. Lines of `NAME=value` can be pasted. */
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
  const field = {
    size: 'xs' as const,
    spellCheck: false,
    autoComplete: 'off',
    classNames: { input: styles.input ?? '' },
  };
  return (
    <div className={styles.row} role="group" aria-labelledby={id}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <div>
        <ul ref={list}>
          {pairs.map((pair, index) => (
            <li key={index} className={styles.pair}>
              <TextInput
                {...field}
                aria-label={`Name of ${noun} ${index + 1}`}
                placeholder="Name"
                value={pair.name}
                onChange={(event) => change(index, { name: event.currentTarget.value })}
                onPaste={(event) => paste(event, index)}
              />
              <TextInput
                {...field}
                type={isRevealed ? 'text' : 'password'}
                data-autofocus={index === first || undefined}
                aria-label={`Value of ${pair.name || `${noun} ${index + 1}`}`}
                placeholder="Value"
                value={pair.value}
                onChange={(event) => change(index, { value: event.currentTarget.value })}
              />
              <IconButton
                icon="close"
                name={`Remove ${pair.name || `${noun} ${index + 1}`}`}
                onClick={() => onChange(pairs.filter((_, at) => at !== index))}
              />
            </li>
          ))}
        </ul>
        {error !== undefined && <p className={styles.error}>{error}</p>}
        <p className={styles.tools}>
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

const NO_ROW = -1;

/** Row whose value is missing, else the first. */
function firstToFill(pairs: readonly Pair[]): number {
  const empty = pairs.findIndex(({ value }) => value === '');
  return empty >= 0 ? empty : pairs.length > 0 ? 0 : NO_ROW;
}
