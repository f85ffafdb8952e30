import { app, nativeTheme } from 'electron';
import type { Settings, SettingsPatch } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { lookAtLoginItem, setStartAtLogin } from './login-item.ts';
import { needsLoginItem } from './login-start.ts';
import { StartAtLogin } from './start-at-login.ts';

export interface AppliedSettings {
  /** Returns the current settings: the defaults until the panel has read its own. */
  readonly current: () => Settings;
  /** Applies the settings read at the start of the app run. */
  readonly launched: (settings: Settings) => void;
  /** Applies changed settings: theme and start at login at once, all others at their next use. */
  readonly apply: (settings: Settings) => void;
  /** Returns the system's state of the start at login. */
  readonly loginState: () => Promise<LoginState>;
}

export interface AppliedSettingsOptions {
  readonly initial: Settings;
  /** Stores settings of the start at login, because the system's state differs from them. */
  readonly save: (patch: SettingsPatch) => Promise<void>;
  readonly notice: (line: string) => void;
}

/** Applies the user's settings to the system. */
export function createAppliedSettings(options: AppliedSettingsOptions): AppliedSettings {
  const { initial, notice } = options;
  const save = (startAtLogin: boolean) => options.save({ startAtLogin });
  const wantedAfter = (startAtLogin: boolean) => needsLoginItem({ ...current, startAtLogin });
  let current = initial;
  const { platform, execPath: executablePath, env: environment } = process;
  const login = { app, platform, executablePath, environment };
  const item = {
    look: () => lookAtLoginItem(login),
    set: (isOn: boolean) => setStartAtLogin(isOn, login),
  };
  const startAtLogin = new StartAtLogin({ item, platform, save, wantedAfter, notice });
  const takeOver = (settings: Settings) => {
    current = settings;
    nativeTheme.themeSource = settings.theme;
  };
  return {
    current: () => current,
    launched: (settings) => {
      takeOver(settings);
      void startAtLogin.launched(needsLoginItem(settings));
    },
    apply: (settings) => {
      takeOver(settings);
      void startAtLogin.changed(needsLoginItem(settings));
    },
    loginState: () => startAtLogin.state(),
  };
}
