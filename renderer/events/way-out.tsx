import type { TaskStatus } from '../store/task.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './event-details.module.css';

interface WayOutProps {
  readonly server: string;
  /** Words of the button. */
  readonly act: string;
  /** Hint on what to know before. */
  readonly hint: string;
  /** Status of the requested change. */
  readonly status: TaskStatus | undefined;
  readonly onAct: () => void;
}

/**
 * Change of the server's entry that would keep an event from coming again: told before it is made, and when
 * it fails.
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
