import { useAsk, useServices } from '../store/services.ts';
import { ErrorNote } from './error-note.tsx';
import { TextButton } from './text-button.tsx';
import styles from './event-details.module.css';

/** The way out for a server that was at work after all: its stalls are reported from then on, and nothing more. */
export function DisputeVerdict({ eventId, server }: { readonly eventId: string; readonly server: string }) {
  const { asks, api } = useServices();
  const key = `dispute ${eventId}`;
  const status = useAsk(key);
  const isPending = status?.phase === 'pending';
  if (status?.phase === 'done') {
    return (
      <p className={styles.result} role="status">
        From now on stalls of {server} are only reported. <code>panel.health.onStall</code> in its entry of
        servers.json says so.
      </p>
    );
  }
  return (
    <div className={styles.dispute}>
      <TextButton isBusy={isPending} onClick={() => void asks.run(key, () => api.disputeVerdict(server))}>
        This was wrong
      </TextButton>
      <span className={styles.hint}>
        {isPending
          ? 'Writing it into servers.json…'
          : 'It was at work: report its stalls, do not restart it.'}
      </span>
      {status?.phase === 'failed' && <ErrorNote error={status.error} server={server} lead="Not changed" />}
    </div>
  );
}
