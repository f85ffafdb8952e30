import type { ButtonHTMLAttributes, Ref } from 'react';
import styles from './text-button.module.css';

interface TextButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** Look: `main` is what the view is for, at most one in view; `link` stands in a line of text. */
  readonly look?: 'plain' | 'main' | 'danger' | 'link';
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** Button with words. */
export function TextButton({ look = 'plain', isBusy = false, disabled = false, ...rest }: TextButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // A busy button is not disabled because it would lose the focus, and with it the place of a keyboard
      // user.
      aria-busy={isBusy || undefined}
      disabled={disabled && !isBusy}
      className={styles[look]}
      {...(isBusy && { onClick: undefined, type: 'button' as const })}
    />
  );
}
