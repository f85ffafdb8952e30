import { formatPlural } from '../format/figures.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './log-list.module.css';

interface NewestButtonProps {
  /** Lines that came below what was last seen at the end. */
  readonly count: number;
  readonly onClick: () => void;
}

/** Button that leads to the end of a log, and counts what waits there. */
export function NewestButton({ count, onClick }: NewestButtonProps) {
  return (
    <button type="button" className={styles.newest} data-tip="To the newest line  End" onClick={onClick}>
      <Icon name="down" size={14} /> {count === 0 ? 'Newest' : formatPlural(count, 'new line')}
    </button>
  );
}
