import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  readonly icon: IconName;
  /** Accessible name. */
  readonly name: string;
  /** Tooltip on hover and focus, including the shortcut; by default the name. */
  readonly tip?: string;
  /** Label beside the icon, if there is room for text. */
  readonly label?: string;
  readonly isBusy?: boolean;
}

const BUTTON =
  'inline-flex flex-none items-center justify-center gap-6 h-28 rounded-md transition-[background-color] duration-80 ' +
  'enabled:hover:bg-hover enabled:hover:text-text enabled:active:bg-line disabled:opacity-32 ' +
  'aria-busy:bg-line aria-busy:text-accent aria-busy:opacity-100 aria-busy:[&>svg]:animate-pulse';
const looks = {
  square: 'w-28 text-dim',
  labelled: 'px-8 border border-strong-line bg-input text-text font-medium',
};

/** Square button without a border. With a label it has a border. */
export function IconButton({ icon, name, tip, label, isBusy = false, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={name}
      aria-busy={isBusy || undefined}
      data-tip={tip ?? name}
      className={`${BUTTON} ${looks[label === undefined ? 'square' : 'labelled']}`}
    >
      <Icon name={icon} />
      {label !== undefined && <span>{label}</span>}
    </button>
  );
}
