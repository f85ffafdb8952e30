import { Icon } from '../ui/icon.tsx';
import { useSettingStatus } from './use-settings.ts';
import styles from './setting-outcome.module.css';

/** Result of the last change of a setting: saved, or its error. */
export function SettingOutcome({ path }: { readonly path: string }) {
  const status = useSettingStatus(path);
  return (
    <span className={styles.place} role="status">
      {status?.phase === 'done' && (
        <span key={status.value} className={styles.saved}>
          <Icon name="done" size={14} />
          Saved
        </span>
      )}
      {status?.phase === 'failed' && (
        <span className={styles.failed}>
          Not saved: {status.error.message} {status.error.remedy}
        </span>
      )}
    </span>
  );
}
