import { Textarea, TextInput } from '@mantine/core';
import type { ClipboardEvent, ReactNode } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  /** Name that distinguishes the field from the other fields of the same form. */
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

/** Field with its label on the left and its problem below. */
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
      root: 'grid grid-cols-[var(--label-width,124px)_minmax(0,1fr)] items-start gap-x-12',
      label: 'caption py-6',
      // An error is shown by the border and the text below, so that the typed text stays readable.
      input: `data-error:text-text ${isCode ? 'py-4 text-12/16 font-mono' : ''}`,
      description: 'col-start-2 mt-4 text-12/16 text-dim',
      error: 'col-start-2 mt-4 text-12/16 wrap-anywhere text-failed',
      wrapper: 'col-start-2 m-0',
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
        rightSection: <span className="px-8 whitespace-nowrap text-12 text-faint">{unit}</span>,
        rightSectionWidth: 'auto',
        rightSectionPointerEvents: 'none' as const,
      })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
