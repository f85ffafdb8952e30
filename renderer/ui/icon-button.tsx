import type { ButtonHTMLAttributes } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './icon-button.module.css';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children'> {
  readonly icon: IconName;
  /** The accessible name. */
  readonly name: string;
  /** Shown on hover and focus, shortcut included; the name when absent. */
  readonly tip?: string;
  /** Words beside the icon where there is room for them. */
  readonly label?: string;
  readonly isBusy?: boolean;
}

/** A quiet square button; with a label, a quiet bordered one. */
export function IconButton({ icon, name, tip, label, isBusy = false, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={name}
      aria-busy={isBusy || undefined}
      data-tip={tip ?? name}
      className={label === undefined ? styles.square : styles.labelled}
    >
      <Icon name={icon} />
      {label !== undefined && <span>{label}</span>}
    </button>
  );
}
