import { app, nativeTheme } from 'electron';
import { defaultSettings, type Settings, type SettingsPatch } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { lookAtLoginItem, setStartAtLogin } from './login-item.ts';
import { needsLoginItem, StartAtLogin } from './start-at-login.ts';

/** Applies the user's settings to the system. */
export class AppliedSettings {
  readonly #startAtLogin: StartAtLogin;
  #current: Settings = defaultSettings;

  /** @param save stores settings of the start at login, because the system's state differs from them */
  constructor(save: (patch: SettingsPatch) => Promise<void>, notice: (line: string) => void) {
    const { platform, execPath: executablePath, env: environment } = process;
    const login = { app, platform, executablePath, environment };
    this.#startAtLogin = new StartAtLogin({
      item: { look: () => lookAtLoginItem(login), set: (isOn) => setStartAtLogin(isOn, login) },
      platform,
      save: (startAtLogin) => save({ startAtLogin }),
      wantedAfter: (startAtLogin) => needsLoginItem({ ...this.#current, startAtLogin }),
      notice,
    });
  }

  /** Current settings: the defaults until the panel has read its own. */
  get current(): Settings {
    return this.#current;
  }

  /** Applies the settings read at the start of the app run. */
  launched(settings: Settings): void {
    this.#takeOver(settings);
    void this.#startAtLogin.launched(needsLoginItem(settings));
  }

  /** Applies changed settings: theme and start at login at once, all others at their next use. */
  apply(settings: Settings): void {
    this.#takeOver(settings);
    void this.#startAtLogin.changed(needsLoginItem(settings));
  }

  /** Returns the system's state of the start at login. */
  loginState(): Promise<LoginState> {
    return this.#startAtLogin.state();
  }

  #takeOver(settings: Settings): void {
    this.#current = settings;
    nativeTheme.themeSource = settings.theme;
  }
}
