import { useServices } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { isChanged } from './setting-index.ts';
import { useSettings, useSettingStatus } from './use-settings.ts';

interface SettingOutcomeProps {
  readonly path: string;
  /** Name of the setting, used for its reset button. */
  readonly label: string;
}

/** Shows if a setting differs from its default, with a reset button, and the last change's result: saved, or the error. */
export function SettingOutcome({ path, label }: SettingOutcomeProps) {
  const { settings: store } = useServices();
  const settings = useSettings();
  const status = useSettingStatus(path);
  return (
    <span className="min-w-0 text-12">
      {settings !== undefined && isChanged(settings, path) && (
        <span className="inline-flex items-center gap-6 mr-6 text-dim">
          <span className="w-6 h-6 rounded-full bg-accent" />
          changed
          <TextButton
            look="link"
            aria-label={`Reset ${label}`}
            onClick={() => void store.set(path, undefined)}
          >
            Reset
          </TextButton>
        </span>
      )}
      <span role="status">
        {status?.phase === 'done' && (
          <span
            key={status.value}
            className="animate-leave inline-flex items-center gap-4 text-dim [&>svg]:text-running"
          >
            <Icon name="done" size={14} />
            Saved
          </span>
        )}
        {status?.phase === 'failed' && (
          <span className="wrap-anywhere text-failed">
            Not saved: {status.error.message} {status.error.remedy}
          </span>
        )}
      </span>
    </span>
  );
}
