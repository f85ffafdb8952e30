import { formatPlural } from '../format/figures.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './log-list.module.css';

interface NewestButtonProps {
  /** Number of lines below the last line that was seen at the end. */
  readonly count: number;
  readonly onClick: () => void;
}

/** Button that scrolls to the end of a log and counts the new lines there. */
export function NewestButton({ count, onClick }: NewestButtonProps) {
  return (
    <button type="button" className={styles.newest} data-tip="To the newest line  End" onClick={onClick}>
      <Icon name="down" size={14} /> {count === 0 ? 'Newest' : formatPlural(count, 'new line')}
    </button>
  );
}
