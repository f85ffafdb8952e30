import { messageOf } from '../../../shared/message-of.ts';
import { defaultSettings, type Settings, type SettingsPatch } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { needsLoginItem } from './start-at-login.ts';

/** The system's list of programs that start at login. */
interface LoginItem {
  look(): Promise<LoginState>;
  /** Turns the start at login on or off, even if the user disabled it in the system's own list. */
  set(isOn: boolean): Promise<unknown>;
}

interface AppliedSettingsOptions {
  readonly item: LoginItem;
  readonly platform: NodeJS.Platform;
  readonly setTheme: (theme: Settings['theme']) => void;
  /** Stores the setting `startAtLogin` after the system's state was found to differ from it. */
  readonly save: (patch: SettingsPatch) => Promise<void>;
  readonly notice: (line: string) => void;
}

/**
 * Applies the user's settings to the system: the theme and start at login immediately, all others when they are next used. Two
 * settings require that the app starts at login: the setting of that name, and the gateway's setting that clients can start the
 * panel. They are synchronized with the system's list. When the app starts, the system's state takes precedence, because the
 * user may have disabled the panel there. Later the settings take precedence, because the user has just changed them in the
 * panel.
 */
export class AppliedSettings {
  readonly #options: AppliedSettingsOptions;
  #current: Settings = defaultSettings;
  /** Whether the app should start at login, as last applied to the system; undefined until the stored settings were applied. */
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
      // Without the user's approval in the system's settings, the app cannot change the login item.
      if (state === 'unknown' || state === 'needs-approval') return;
      // Windows keeps a disabled item in its list. A missing item was therefore not disabled by the user. It was never added,
      // because the app's path or the machine has changed.
      const isMissing = platform === 'win32' && state === 'off';
      const startAtLogin = state === 'on';
      if (isWanted && isMissing) await item.set(true);
      // The autostart file is rewritten, because an AppImage may have been moved.
      else if (isWanted && startAtLogin && platform === 'linux') await item.set(true);
      else if (isWanted !== startAtLogin) {
        // Even after `startAtLogin` has changed, the gateway setting may require the login item, so that clients can start the
        // panel.
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
