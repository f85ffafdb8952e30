import { Icon, type IconName } from '../ui/icon.tsx';
import styles from './toggle-button.module.css';

interface ToggleButtonProps {
  /** Accessible name of the option that the button switches. */
  readonly name: string;
  readonly tip?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly icon?: IconName;
  readonly label?: string;
}

/** Small toggle button, which stays pressed while on. */
export function ToggleButton({ name, tip, isOn, onChange, icon, label }: ToggleButtonProps) {
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-label={name}
      aria-pressed={isOn}
      data-tip={tip ?? name}
      onClick={() => onChange(!isOn)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </button>
  );
}
