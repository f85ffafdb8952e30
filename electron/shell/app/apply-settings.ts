import { messageOf } from '../../../shared/message-of.ts';
import { defaultSettings, type Settings, type SettingsPatch } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { needsLoginItem } from './start-at-login.ts';

/** The system's list of programs that start at login. */
interface LoginItem {
  look(): Promise<LoginState>;
  /** Sets the item, even if the user disabled it in the system's list. */
  set(isOn: boolean): Promise<unknown>;
}

interface AppliedSettingsOptions {
  readonly item: LoginItem;
  readonly platform: NodeJS.Platform;
  readonly setTheme: (theme: Settings['theme']) => void;
  /**
   * Stores in the settings that nothing, or the panel, should start at login, because the system's state differs from the
   * settings.
   */
  readonly save: (patch: SettingsPatch) => Promise<void>;
  readonly notice: (line: string) => void;
}

/**
 * Applies the user's settings to the system: theme and start at login immediately, all others at their next use. The settings
 * for which the app starts at login are synchronized with the system's list. At the start of the app run, the system's state
 * takes precedence, because the user may have disabled the panel there. Later the setting takes precedence, because the user
 * has just changed it here.
 */
export class AppliedSettings {
  readonly #options: AppliedSettingsOptions;
  #current: Settings = defaultSettings;
  /** Whether the app should start at login, as last applied to the system; undefined until the system's state was read. */
  #isOn: boolean | undefined;

  constructor(options: AppliedSettingsOptions) {
    this.#options = options;
  }

  /** Current settings; the defaults until the panel has read the stored settings. */
  get current(): Settings {
    return this.#current;
  }

  /** Applies the settings read at the start of the app run. Call once. Never rejects. */
  async launched(settings: Settings): Promise<void> {
    const { item, platform, save } = this.#options;
    this.#takeOver(settings);
    const isWanted = needsLoginItem(settings);
    this.#isOn = isWanted;
    await this.#told(async () => {
      const state = await item.look();
      // The user decides about an approval in the system's settings.
      if (state === 'unknown' || state === 'needs-approval') return;
      // Windows keeps disabled items in its list. A missing item was therefore never in it, because the path or the machine is
      // a different one.
      const isMissing = platform === 'win32' && state === 'off';
      const startAtLogin = state === 'on';
      if (isWanted && isMissing) await item.set(true);
      // The file is rewritten, because an AppImage may have been moved.
      else if (isWanted && startAtLogin && platform === 'linux') await item.set(true);
      else if (isWanted !== startAtLogin) {
        // Once this is stored, the gateway setting may still require that clients can start the panel.
        this.#isOn = needsLoginItem({ ...this.#current, startAtLogin });
        await save({ startAtLogin });
      }
    });
  }

  /** Applies changed settings. Never rejects. */
  async apply(settings: Settings): Promise<void> {
    this.#takeOver(settings);
    const isOn = needsLoginItem(settings);
    if (this.#isOn === undefined || this.#isOn === isOn) return;
    this.#isOn = isOn;
    await this.#told(() => this.#options.item.set(isOn));
  }

  /** Returns the system's state of the start at login. */
  loginState(): Promise<LoginState> {
    return this.#options.item.look().catch(() => 'unknown');
  }

  #takeOver(settings: Settings): void {
    this.#current = settings;
    this.#options.setTheme(settings.theme);
  }

  async #told(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#options.notice(`start at login could not be changed: ${messageOf(error)}`);
    }
  }
}
