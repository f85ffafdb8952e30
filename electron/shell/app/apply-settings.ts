import { app, nativeTheme } from 'electron';
import type { Settings } from '../../../shared/settings.ts';
import { setStartAtLogin } from './login-item.ts';

export interface AppliedSettings {
  /** The settings in force now. They are the defaults until the panel has read its own. */
  readonly current: () => Settings;
  /** Takes over what was read or changed: theme and start at login at once, the rest when it is asked for. */
  readonly apply: (settings: Settings) => void;
}

/** Keeps the system in step with a person's settings. */
export function createAppliedSettings(initial: Settings, notice: (line: string) => void): AppliedSettings {
  let current = initial;
  return {
    current: () => current,
    apply: (settings) => {
      const before = current;
      current = settings;
      nativeTheme.themeSource = settings.theme;
      if (settings.startAtLogin === before.startAtLogin) return;
      const { platform, execPath: executablePath, env: environment } = process;
      setStartAtLogin(settings.startAtLogin, { app, platform, executablePath, environment }).catch(
        (error: unknown) => notice(`start at login could not be changed: ${String(error)}`),
      );
    },
  };
}
