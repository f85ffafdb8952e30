import { entryValueAt } from '../entry/raw-entry.ts';
import { useServices } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { SettingOutcome } from './setting-outcome.tsx';
import { useSettings, useSettingStatus } from './use-settings.ts';
import styles from './settings-view.module.css';

interface SettingSwitchProps {
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
}

/** Switch for a setting. It shows the new value at once, then that it is saved. */
export function SettingSwitch({ path, label, hint }: SettingSwitchProps) {
  const { settings: store } = useServices();
  const settings = useSettings();
  const status = useSettingStatus(path);
  const isOn = status?.phase === 'pending' ? status.about : entryValueAt(settings ?? {}, path);
  return (
    <div className={styles.line}>
      <CheckField
        label={label}
        isChecked={isOn === true}
        onChange={(next) => void store.set(path, next)}
        {...(hint !== undefined && { hint })}
      />
      <SettingOutcome path={path} />
    </div>
  );
}
