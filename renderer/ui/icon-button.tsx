import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  readonly icon: IconName;
  /** Accessible name. */
  readonly name: string;
  /** Tooltip on hover and focus, including the shortcut; the name if absent. */
  readonly tip?: string;
  /** Label beside the icon if there is room for text. */
  readonly label?: string;
  readonly isBusy?: boolean;
}

/** Square button without a border; with a label it has a border. */
export function IconButton({ icon, name, tip, label, isBusy = false, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={name}
      aria-busy={isBusy || undefined}
      data-tip={tip ?? name}
      className={`${label === undefined ? styles.square : styles.labelled} gap-6 flex-none text-dim`}
    >
      <Icon name={icon} />
      {label !== undefined && <span>{label}</span>}
    </button>
  );
}
