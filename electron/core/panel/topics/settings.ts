import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { settingsCalls } from '../../../../shared/ipc/topics/settings.ts';
import type { Settings, SettingsPatch } from '../../../../shared/settings.ts';
import type { Emitter } from '../../emitter.ts';
import type { SettingsFile } from '../../settings/settings-file.ts';

/**
 * Requests of the app window about the settings of the panel itself. @param changes emits after every change of a setting,
 * including a change made outside the app window
 */
export const settingsTopic = (file: SettingsFile, changes: Emitter<Settings>) => ({
  get current(): Settings {
    return file.current.settings;
  },
  /** Calls the listener after every change. Returns the unsubscribe function. */
  onChange: (listener: (settings: Settings) => void) => changes.subscribe(listener),
  ...({
    get: () => ({ settings: file.current.settings }),
    /** Sets the values in the patch. @throws PanelError as `SettingsFile.update` */
    update: (patch: SettingsPatch): Promise<void> => file.update(patch),
  } satisfies CallAnswers<typeof settingsCalls>),
});
