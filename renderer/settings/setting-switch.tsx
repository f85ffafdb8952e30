import { settingDefaults } from '../../shared/setting-defaults.ts';
import { entryValueAt } from '../entry/raw-entry.ts';
import { useServices } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { switches, type SwitchPath } from './setting-index.ts';
import { useSettings, useSettingStatus } from './use-settings.ts';
import { SettingOutcome } from './setting-outcome.tsx';

interface SettingSwitchProps {
  readonly path: SwitchPath;
  /** Hint that replaces the usual hint of the setting. */
  readonly hint?: string | undefined;
}

/** Switch for a setting. It shows the new value immediately, and confirms when the value has been saved. */
export function SettingSwitch({ path, hint = switches[path].hint }: SettingSwitchProps) {
  const { settings: store } = useServices();
  const settings = useSettings();
  const status = useSettingStatus(path);
  const { label } = switches[path];
  const isOn =
    status?.phase === 'pending'
      ? (status.about ?? settingDefaults[path])
      : entryValueAt(settings ?? {}, path);
  return (
    <div className="flex items-start gap-12" data-setting={path}>
      <CheckField
        label={label}
        isChecked={isOn === true}
        onChange={(next) => void store.set(path, next)}
        {...(hint !== undefined && { hint })}
      />
      <SettingOutcome path={path} label={label} />
    </div>
  );
}
