import { app, nativeTheme } from 'electron';
import type { Settings } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { lookAtLoginItem, setStartAtLogin } from './login-item.ts';
import { StartAtLogin } from './start-at-login.ts';

export interface AppliedSettings {
  /** The settings in force now. They are the defaults until the panel has read its own. */
  readonly current: () => Settings;
  /** Takes over what was read at the launch. */
  readonly launched: (settings: Settings) => void;
  /** Takes over what was changed: theme and start at login at once, the rest when it is asked for. */
  readonly apply: (settings: Settings) => void;
  /** What the system says of the start at login. */
  readonly loginState: () => Promise<LoginState>;
}

export interface AppliedSettingsOptions {
  readonly initial: Settings;
  /** Changes the setting, because the system says something else. */
  readonly saveStartAtLogin: (isOn: boolean) => Promise<void>;
  readonly notice: (line: string) => void;
}

/** Keeps the system in step with a person's settings. */
export function createAppliedSettings(options: AppliedSettingsOptions): AppliedSettings {
  const { initial, saveStartAtLogin: save, notice } = options;
  let current = initial;
  const { platform, execPath: executablePath, env: environment } = process;
  const login = { app, platform, executablePath, environment };
  const item = {
    look: () => lookAtLoginItem(login),
    set: (isOn: boolean) => setStartAtLogin(isOn, login),
  };
  const startAtLogin = new StartAtLogin({ item, platform, save, notice });
  const takeOver = (settings: Settings) => {
    current = settings;
    nativeTheme.themeSource = settings.theme;
  };
  return {
    current: () => current,
    launched: (settings) => {
      takeOver(settings);
      void startAtLogin.launched(settings.startAtLogin);
    },
    apply: (settings) => {
      takeOver(settings);
      void startAtLogin.changed(settings.startAtLogin);
    },
    loginState: () => startAtLogin.state(),
  };
}
