import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { TextButton } from '../ui/text-button.tsx';
import styles from './secrets.module.css';

interface SecretFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string | undefined;
  readonly hint?: string | undefined;
  /** Whether the value is masked until it is revealed. Default true. */
  readonly isSecret?: boolean;
}

/** Field for a value that is masked until it is revealed. */
export function SecretField({
  label,
  value,
  onChange,
  placeholder,
  hint,
  isSecret = true,
}: SecretFieldProps) {
  const [isRevealed, setRevealed] = useState(false);
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        size="xs"
        spellCheck={false}
        autoComplete="off"
        type={isSecret && !isRevealed ? 'password' : 'text'}
        value={value}
        {...(placeholder !== undefined && { placeholder })}
        {...(hint !== undefined && { description: hint })}
        inputWrapperOrder={['input', 'description']}
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
    </div>
  );
}
