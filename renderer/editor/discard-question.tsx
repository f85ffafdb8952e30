import { TextButton } from '../ui/text-button.tsx';
import styles from './server-dialog.module.css';

interface DiscardQuestionProps {
  readonly onStay: () => void;
  readonly onDiscard: () => void;
}

/** Question that replaces the buttons below a dialog, because the user looks there. */
export function DiscardQuestion({ onStay, onDiscard }: DiscardQuestionProps) {
  return (
    <div role="alertdialog" aria-label="Discard the changes?" className={styles.question}>
      <p className={styles.words}>Discard what you have changed?</p>
      <TextButton autoFocus onClick={onStay}>
        Keep editing
      </TextButton>
      <TextButton look="danger" onClick={onDiscard}>
        Discard changes
      </TextButton>
    </div>
  );
}
