import type { ReactNode } from 'react';

interface CheckFieldProps {
  readonly label: ReactNode;
  /** Accessible name; only needed if the label is not plain text. */
  readonly name?: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
  readonly hint?: ReactNode;
}

/** Check box with a label. */
export function CheckField({ label, name, isChecked, onChange, isDisabled = false, hint }: CheckFieldProps) {
  return (
    <label className={`flex items-start gap-8 min-w-0 ${isDisabled ? 'text-dim' : ''}`}>
      <input
        type="checkbox"
        className="size-14 flex-none mx-0 my-2 accent-accent"
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
