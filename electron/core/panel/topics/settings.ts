import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { settingsCalls } from '../../../../shared/ipc/topics/settings.ts';
import type { Settings, SettingsPatch } from '../../../../shared/settings.ts';
import type { Emitter } from '../../emitter.ts';
import type { SettingsFile } from '../../settings/settings-file.ts';

/** What a person decides about the panel itself. */
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

  /** Sets what the patch names. @throws PanelError as `SettingsFile.update` */
  update(patch: SettingsPatch): Promise<void> {
    return this.#file.update(patch);
  }

  /** The listener hears of every change of a setting, whoever made it. Returns the undo. */
  onChange(listener: (settings: Settings) => void): () => void {
    return this.#changes.subscribe(listener);
  }
}
