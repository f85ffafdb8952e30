import type { ReactNode } from 'react';
import styles from './check-field.module.css';

interface CheckFieldProps {
  readonly label: ReactNode;
  /** Accessible name; only needed if the label is no plain text. */
  readonly name?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  readonly hint?: ReactNode;
}

/** Check box with its label. */
export function CheckField({ label, name, isChecked, onChange, isDisabled = false, hint }: CheckFieldProps) {
  return (
    <label
      className={isDisabled ? 'flex items-start gap-8 min-w-0 text-dim' : 'flex items-start gap-8 min-w-0'}
    >
      <input
        type="checkbox"
        className={styles.box}
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        {...(name !== undefined && { 'aria-label': name })}
      />
      <span className="min-w-0">
        {label}
        {hint !== undefined && <span className="block text-12/16 text-dim">{hint}</span>}
      </span>
    </label>
  );
}
