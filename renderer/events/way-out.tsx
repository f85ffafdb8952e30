import type { TaskStatus } from '../store/task.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './event-details.module.css';

interface WayOutProps {
  readonly server: string;
  /** Label of the button that applies the remedy. */
  readonly act: string;
  /** Hint that the user should read first. */
  readonly hint: string;
  /** Status of the requested change. */
  readonly status: TaskStatus | undefined;
  readonly onAct: () => void;
}

/**
 * Remedy that changes the server's entry so that an event does not come again. The change is shown before it is made, and an
 * error of it afterwards.
 */
export function WayOut({ server, act, hint, status, onAct }: WayOutProps) {
  const isPending = status?.phase === 'pending';
  return (
    <div className={styles.dispute}>
      <TextButton isBusy={isPending} onClick={onAct}>
        {act}
      </TextButton>
      <span className={styles.hint}>{isPending ? 'Writing it into servers.json…' : hint}</span>
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={server} lead="Not changed" />}
    </div>
  );
}
