import { ErrorNote } from '../ui/error-note.tsx';
import { usePanel } from '../services.ts';
import styles from './loading-state.module.css';

const PLACEHOLDER_ROWS = 6;

/** Placeholder of the view before the first snapshot; its text appears only if loading takes noticeably long. */
export function LoadingState() {
  const loadError = usePanel((state) => state.loadError);
  return (
    <div className={styles.view} aria-busy="true">
      <p className={`${styles.words} flex items-center text-dim`} role="status">
        {loadError === undefined
          ? 'Asking the supervisor for its servers…'
          : 'No answer from the supervisor; asking again…'}
      </p>
      {loadError !== undefined && <ErrorNote error={loadError} server="panel" />}
      <div aria-hidden="true">
        {Array.from({ length: PLACEHOLDER_ROWS }, (_, row) => (
          <div key={row} className={`${styles.row} flex items-center gap-8`}>
            <span className={styles.dot} />
            <span className={styles.name} />
            <span className={styles.rest} />
          </div>
        ))}
      </div>
    </div>
  );
}
