import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { settingsCalls } from '../../../../shared/ipc/topics/settings.ts';
import type { Settings, SettingsPatch } from '../../../../shared/settings.ts';
import type { Emitter } from '../../emitter.ts';
import type { SettingsFile } from '../../settings/settings-file.ts';

/** Settings of the panel itself. */
export class SettingsTopic implements CallAnswers<typeof settingsCalls> {
  readonly #file: SettingsFile;
  readonly #changes: Emitter<Settings>;

  constructor(file: SettingsFile, changes: Emitter<Settings>) {
    this.#file = file;
    this.#changes = changes;
  }

  get current(): Settings {
    return this.#file.current.settings;
  }

  get(): { settings: Settings } {
    return { settings: this.current };
  }

  /** Sets the values in the patch. @throws PanelError as `SettingsFile.update` */
  update(patch: SettingsPatch): Promise<void> {
    return this.#file.update(patch);
  }

  /**
   * Calls the listener after every change of a setting, also after one outside the app window. Returns the unsubscribe
   * function.
   */
  onChange(listener: (settings: Settings) => void): () => void {
    return this.#changes.subscribe(listener);
  }
}
