import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './text-button.module.css';

interface TextButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** Look: `main` is the primary action, at most one per view; `link` fits into a line of text. */
  readonly look?: 'plain' | 'main' | 'danger' | 'link';
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Button with a text label. */
export function TextButton({ look = 'plain', isBusy = false, disabled = false, ...rest }: TextButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // A busy button is not disabled, because it would lose the focus, and keyboard users their position.
      aria-busy={isBusy || undefined}
      disabled={disabled && !isBusy}
      className={styles[look]}
      {...(isBusy && { onClick: undefined, type: 'button' as const })}
    />
  );
}
