import { Textarea, TextInput } from '@mantine/core';
import type { ClipboardEvent, ReactNode } from 'react';
import styles from './text-field.module.css';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  /** Name that distinguishes the fields of one set. */
  readonly fieldName?: string;
  /** Unit shown after the value. */
  readonly unit?: string;
  /** Number of rows; more than one makes the field a text area. */
  readonly rows?: number;
  readonly isCode?: boolean;
  readonly isReadOnly?: boolean;
  readonly hasFocus?: boolean;
  readonly onPaste?: (event: ClipboardEvent<HTMLElement>) => void;
}

/** Labelled field: label on the left, problem below. */
export function TextField({
  label,
  value,
  onChange,
  error,
  hint,
  placeholder,
  fieldName,
  unit,
  rows = 1,
  isCode = false,
  isReadOnly = false,
  hasFocus = false,
  onPaste,
}: TextFieldProps) {
  const shared = {
    label,
    value,
    error,
    size: 'xs' as const,
    spellCheck: false,
    autoComplete: 'off',
    readOnly: isReadOnly,
    inputWrapperOrder: ['label' as const, 'input' as const, 'description' as const, 'error' as const],
    classNames: {
      root: styles.field ?? '',
      label: `${styles.label} caption`,
      input: (isCode ? `${styles.code} text-12/16 font-mono` : styles.input) ?? '',
      description: `${styles.note} text-12/16 text-dim`,
      error: `${styles.error} text-12/16 wrap-anywhere text-failed`,
      wrapper: styles.wrapper ?? '',
    },
    'data-autofocus': hasFocus || undefined,
    ...(hint !== undefined && { description: hint }),
    ...(fieldName !== undefined && { name: fieldName }),
    ...(placeholder !== undefined && { placeholder }),
    ...(onPaste !== undefined && { onPaste }),
  };
  if (rows > 1)
    return <Textarea {...shared} rows={rows} onChange={(event) => onChange(event.currentTarget.value)} />;
  return (
    <TextInput
      {...shared}
      {...(unit !== undefined && {
        rightSection: <span className={`${styles.unit} whitespace-nowrap text-12 text-faint`}>{unit}</span>,
        rightSectionWidth: 'auto',
        rightSectionPointerEvents: 'none' as const,
      })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
