import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './event-log.module.css';
import type { OlderEvents as Older } from './use-older-events.ts';

interface OlderEventsProps {
  readonly older: Older;
  /** Whether all servers or all kinds are shown, so that a narrower filter would give room for older events. */
  readonly canChoose: boolean;
}

/** Foot of an event log with a button that loads older events. */
export function OlderEventsButton({ older, canChoose }: OlderEventsProps) {
  const { hasMore, isFull, isAsking, error, ask } = older;
  return (
    <div className={styles.older}>
      {error !== undefined && (
        <ErrorNote error={error} server="the panel" lead="Older events could not be read" />
      )}
      {hasMore && !isFull && (
        <TextButton isBusy={isAsking} onClick={ask}>
          Show older ones
        </TextButton>
      )}
      {hasMore && isFull && (
        <p>
          {canChoose
            ? 'Older ones have no room. Choose a server or a kind of event to see its own.'
            : 'Older ones have no room.'}
        </p>
      )}
    </div>
  );
}
