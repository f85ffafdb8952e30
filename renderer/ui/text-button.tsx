import type { ButtonHTMLAttributes, Ref } from 'react';

interface TextButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  /** Look: `main` is the primary action, at most one per view; `link` fits into a line of text. */
  readonly look?: keyof typeof looks;
  readonly isBusy?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

const BUTTON =
  'inline-flex flex-none items-center gap-6 h-28 px-12 border rounded-md font-medium whitespace-nowrap ' +
  'transition-[background-color] duration-80 disabled:opacity-40 aria-busy:animate-breathe';
const looks = {
  plain: `${BUTTON} border-strong-line bg-input text-text enabled:hover:bg-hover enabled:active:bg-line`,
  main: `${BUTTON} border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover aria-disabled:opacity-40`,
  danger: `${BUTTON} border-transparent bg-failed text-sunken enabled:hover:bg-[color-mix(in_srgb,var(--state-failed)_86%,var(--text))]`,
  link: 'quiet-link text-text',
};

/** Button with a text label. */
export function TextButton({ look = 'plain', isBusy = false, disabled = false, ...rest }: TextButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // A busy button is not disabled, because it would lose the focus, and keyboard users would lose their position.
      aria-busy={isBusy || undefined}
      disabled={disabled && !isBusy}
      className={looks[look]}
      {...(isBusy && { onClick: undefined, type: 'button' as const })}
    />
  );
}
