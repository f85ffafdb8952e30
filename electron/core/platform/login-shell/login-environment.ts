import { ownEnvironment } from '../user-environment.ts';

/**
 * Variables that a session has before any shell runs: language, time zone, folders, display, agents. The others in the panel's
 * environment (an activated venv, "already set up" flags of a profile, an extended PATH) come from shells, and would make the new
 * shell skip its set-up or repeat it.
 */
const OF_SESSION =
  /^(USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|XDG_.*|ZDOTDIR|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|WSL_.*|WSLENV|__CF_USER_TEXT_ENCODING)$/;
/** Initial PATHs of login(1), systemd and launchd. */
const LINUX_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const MACOS_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

export interface LoginOptions {
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly shell: string;
}

/** Returns the environment that a login gives to a shell, before the user's profile changes it. */
export function loginEnvironment({ parent, platform, home, shell }: LoginOptions): Record<string, string> {
  const session = Object.entries(ownEnvironment(parent)).filter(([name]) => OF_SESSION.test(name));
  const path = platform === 'darwin' ? MACOS_PATH : LINUX_PATH;
  return { ...Object.fromEntries(session), HOME: home, SHELL: shell, PATH: path };
}
