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
    <label className={isDisabled ? 'row-top gap-8 narrow dim' : 'row-top gap-8 narrow'}>
      <input
        type="checkbox"
        className={styles.box}
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        {...(name !== undefined && { 'aria-label': name })}
      />
      <span className="narrow">
        {label}
        {hint !== undefined && <span className="block small dim">{hint}</span>}
      </span>
    </label>
  );
}
