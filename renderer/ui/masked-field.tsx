import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { TextButton } from './text-button.tsx';

interface MaskedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  /** Whether the value is masked until it is revealed. Default true. */
  readonly isSecret?: boolean;
}

/** Field for a value that may be secret. A secret value is masked until it is revealed. */
export function MaskedField({ label, value, onChange, isSecret = true, ...words }: MaskedFieldProps) {
  const { placeholder, hint, problem } = words;
  const [isRevealed, setRevealed] = useState(false);
  const [fieldId, hintId] = [useId(), useId()];
  return (
    <div className="grid grid-cols-[155px_minmax(0,1fr)_32px] items-center gap-x-12 [&+&]:mt-8">
      <label htmlFor={fieldId} className="wrap-anywhere text-12/16 font-medium">
        {label}
      </label>
      <TextInput
        id={fieldId}
        size="xs"
        spellCheck={false}
        autoComplete="off"
        type={isSecret && !isRevealed ? 'password' : 'text'}
        {...(placeholder !== undefined && { placeholder })}
        aria-describedby={hintId}
        error={problem !== undefined}
        classNames={{ input: 'text-12 font-mono' }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isSecret && value !== '' && (
        <TextButton
          look="link"
          aria-label={`${isRevealed ? 'Hide' : 'Show'} ${label}`}
          onClick={() => setRevealed(!isRevealed)}
        >
          {isRevealed ? 'Hide' : 'Show'}
        </TextButton>
      )}
      <span id={hintId} className="col-start-2 pt-2 wrap-anywhere text-12/16 text-dim">
        {problem !== undefined && <span className="text-failed">{problem} </span>}
        {hint}
      </span>
    </div>
  );
}
