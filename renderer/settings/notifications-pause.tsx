import { isPausedAt, NOTIFICATION_PAUSE_MS } from '../../shared/notification-pause.ts';
import { formatHourMinute } from '../format/moments.ts';
import { useNow, useServices } from '../services.ts';
import { TextButton } from '../ui/text-button.tsx';
import { SettingOutcome } from './setting-outcome.tsx';
import { useSettings } from './use-settings.ts';
import styles from './settings-view.module.css';

const PATH = 'notifications.pausedUntil';

/** Button that pauses notifications for an hour, or ends the pause. */
export function NotificationsPause() {
  const { clock, settings: store } = useServices();
  const pausedUntil = useSettings()?.notifications.pausedUntil ?? 0;
  const isPaused = useNow((now) => isPausedAt({ pausedUntil }, now));
  const pause = () => void store.set(PATH, clock.getState().now + NOTIFICATION_PAUSE_MS);
  return (
    <div className={styles.pause}>
      {isPaused ? (
        <>
          <span>Paused until {formatHourMinute(pausedUntil)}.</span>
          <TextButton onClick={() => void store.set(PATH, 0)}>Resume notifications</TextButton>
        </>
      ) : (
        <TextButton onClick={pause}>Pause notifications for an hour</TextButton>
      )}
      <SettingOutcome path={PATH} />
    </div>
  );
}
