import { ownEnvironment } from '../person-environment.ts';

/**
 * What a session has before any shell of it: language, time zone, folders, display, agents. All else in our environment
 * (an activated venv, "already set up" signs of a profile, a PATH with all that in it) is what shells have made of it,
 * and would keep the new one from doing so itself, or be done twice.
 */
const OF_SESSION =
  /^(USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|XDG_.*|ZDOTDIR|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|WSL_.*|WSLENV|__CF_USER_TEXT_ENCODING)$/;
/** The PATHs with which login(1), systemd and launchd begin. */
const LINUX_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const MACOS_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

export interface LoginOptions {
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly shell: string;
}

/** The environment that a login gives to a shell, which makes the person's own of it. */
export function loginEnvironment({ parent, platform, home, shell }: LoginOptions): Record<string, string> {
  const session = Object.entries(ownEnvironment(parent)).filter(([name]) => OF_SESSION.test(name));
  const path = platform === 'darwin' ? MACOS_PATH : LINUX_PATH;
  return { ...Object.fromEntries(session), HOME: home, SHELL: shell, PATH: path };
}
