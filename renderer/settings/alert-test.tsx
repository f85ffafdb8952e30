import type { AlertTest } from '../../shared/alerts.ts';
import { testText } from '../format/alert-words.ts';
import { useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useTask } from '../use-task.ts';
import styles from './alerts.module.css';

/** Button that sends a test alert, with the outcome in a line below. @param id of a rule, or `webhook` */
export function TestButton({ id, name }: { readonly id: string; readonly name: string }) {
  const { api } = useServices();
  const { status, run } = useTask<AlertTest>();
  return (
    <>
      <TextButton
        aria-label={name}
        isBusy={status?.phase === 'pending'}
        onClick={() => void run(() => api.testAlert(id))}
      >
        Test
      </TextButton>
      {status?.phase === 'done' && (
        <span role="status" className={status.value.error === undefined ? styles.arrived : styles.failed}>
          {testText(status.value)}
        </span>
      )}
      {status?.phase === 'failed' && <ErrorNote error={status.error} server="" lead="Not tested" />}
    </>
  );
}
