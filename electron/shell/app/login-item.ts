import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron';
import type { LoginState } from '../../../shared/system-state.ts';
import type { Clock } from '../../core/clock.ts';
import { errnoOf } from '../../core/errno.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';
import { writeAtomically } from '../../core/files/write-atomically.ts';
import { holdsWithin } from '../../core/wait.ts';
import { ownValue } from '../../../shared/own-value.ts';

/** Switch for a start without an app window, with only the tray icon. */
const HIDDEN_SWITCH = '--hidden';
/**
 * Second switch, which the doorkeeper (the background process that starts the panel for clients) adds. It shows that the start
 * is not a start at login.
 */
const FOR_CLIENT_SWITCH = '--for-client';
/** Usual file mode of autostart files, which contain no secret. */
const READABLE_BY_ALL = 0o644;
/** Maximum bytes of an autostart file that is read; the app's own file has a few hundred. */
const MAX_ENTRY_BYTES = 64 * 1024;
const FILE_NAME = 'mcp-control-panel.desktop';
/** Limits of the wait for a tray. The wait is needed because, at login, the desktop's panel often starts after other programs. */
const TRAY_WAIT = { limitMs: 15_000, intervalMs: 1000 };

/** Electron's login item data. `status` needs newer macOS and Electron, `executableWillLaunchAtLogin` exists only on Windows. */
type SystemLoginItem = Pick<LoginItemSettings, 'openAtLogin'> &
  Partial<Pick<LoginItemSettings, 'status' | 'executableWillLaunchAtLogin'>>;

export interface LoginItemOptions {
  readonly app: {
    readonly isPackaged: boolean;
    setLoginItemSettings(settings: Settings): void;
    getLoginItemSettings(options?: LoginItemSettingsOptions): SystemLoginItem;
  };
  readonly platform: NodeJS.Platform;
  readonly executablePath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Enables or disables the panel's start at login, without a window. Returns false without any effect in a run from source,
 * because the login item would start a development tool.
 */
export async function setStartAtLogin(isOn: boolean, options: LoginItemOptions): Promise<boolean> {
  const { app, platform, executablePath } = options;
  if (!app.isPackaged) return false;
  if (platform === 'linux')
    await (isOn ? writeAutostart(options) : rm(autostartPath(options), { force: true }));
  else app.setLoginItemSettings({ openAtLogin: isOn, path: executablePath, args: [HIDDEN_SWITCH] });
  return true;
}

/** Returns whether the system starts the panel at login, regardless of the panel's setting. @throws the system's error */
export async function lookAtLoginItem(options: LoginItemOptions): Promise<LoginState> {
  const { app, platform, executablePath } = options;
  if (!app.isPackaged) return 'unknown';
  if (platform === 'linux') return autostartState(options);
  const item = app.getLoginItemSettings(
    platform === 'win32' ? { path: executablePath, args: [HIDDEN_SWITCH] } : undefined,
  );
  if (item.status === 'requires-approval') return 'needs-approval';
  if (!item.openAtLogin) return 'off';
  return item.executableWillLaunchAtLogin === false && platform === 'win32' ? 'switched-off' : 'on';
}

/** Keys that disable an autostart file: the key of the specification, and GNOME's own. */
const SWITCHED_OFF = /^(?:Hidden[ \t]*=[ \t]*true|X-GNOME-Autostart-enabled[ \t]*=[ \t]*false)[ \t]*\r?$/m;

async function autostartState(options: LoginItemOptions): Promise<LoginState> {
  try {
    const text = await readRegularFile(autostartPath(options), MAX_ENTRY_BYTES);
    return SWITCHED_OFF.test(String(text)) ? 'switched-off' : 'on';
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return 'off';
    throw error;
  }
}

/** Whether the panel was started without a window. macOS passes no arguments at login, but reports such a start separately. */
export function isHiddenStart(argv: readonly string[], wasOpenedAtLogin: boolean): boolean {
  return argv.includes(HIDDEN_SWITCH) || wasOpenedAtLogin;
}

/**
 * Starts without a window if there is a tray, or one appears within the limit. Otherwise starts with a minimised window,
 * because the user would have no way to show a hidden one.
 */
export async function startHidden(
  clock: Clock,
  canHide: () => Promise<boolean>,
  openMinimised: () => void,
): Promise<void> {
  if (!(await holdsWithin(clock, canHide, TRAY_WAIT))) openMinimised();
}

/** Whether the system has started the app at login. */
export function isLoginStart(argv: readonly string[], wasOpenedAtLogin: boolean): boolean {
  return isHiddenStart(argv, wasOpenedAtLogin) && !argv.includes(FOR_CLIENT_SWITCH);
}

/**
 * Arguments with which the doorkeeper, a background process, starts the panel when a client needs it. If this run was started
 * with `--no-sandbox`, that switch is kept.
 */
export function hiddenStartForClient(argv: readonly string[]): string[] {
  return [...argv.filter((word) => word === '--no-sandbox'), HIDDEN_SWITCH, FOR_CLIENT_SWITCH];
}

/** Writes the file atomically, so that a crash leaves no partial file for the next login. */
async function writeAutostart(options: LoginItemOptions): Promise<void> {
  const { executablePath, environment } = options;
  const path = autostartPath(options);
  // For an AppImage, the path of the AppImage file itself is written, because the running program is inside a mount that will
  // not exist at the next login.
  const program = environment['APPIMAGE'] || executablePath;
  const text = autostartFile(program, HIDDEN_SWITCH);
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, text, { mode: READABLE_BY_ALL });
}

/** Returns the path of the autostart file. A relative XDG_CONFIG_HOME is ignored, as the spec requires. */
function autostartPath({ environment }: LoginItemOptions): string {
  const given = environment['XDG_CONFIG_HOME'] ?? '';
  const config = isAbsolute(given) ? given : join(environment['HOME'] ?? homedir(), '.config');
  return join(config, 'autostart', FILE_NAME);
}

/** Characters that may appear in an argument of `Exec` without quotes; the spec reserves many others. */
const PLAIN_ARGUMENT = /^[A-Za-z0-9@%+:,./_-]+$/;

/**
 * Returns the text of an XDG autostart file (Desktop Entry Specification 1.5).
 * @param program absolute path of the program
 * @throws if the path of the program contains `=`, which the spec forbids.
 */
export function autostartFile(program: string, ...args: readonly string[]): string {
  if (program.includes('=')) {
    throw new Error(`${program} cannot be started at login: a desktop entry cannot contain a path with "="`);
  }
  const entries = [
    ['Type', 'Application'],
    ['Name', 'MCP Control Panel'],
    ['Comment', 'Supervises Model Context Protocol servers'],
    // Lets desktops silently skip an app that was uninstalled.
    ['TryExec', escapeValue(program)],
    ['Exec', escapeValue([program, ...args].map(quoteArgument).join(' '))],
    ['Terminal', 'false'],
    ['X-GNOME-Autostart-enabled', 'true'],
  ];
  return ['[Desktop Entry]', ...entries.map(([key, value]) => `${key}=${value}`), ''].join('\n');
}

/** Formats one argument of `Exec`: `%` is doubled, and reserved characters are put in double quotes. */
function quoteArgument(argument: string): string {
  const literal = argument.replaceAll('%', '%%');
  return PLAIN_ARGUMENT.test(literal) ? literal : `"${literal.replace(/["`$\\]/g, '\\$&')}"`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes a value of type string. A reader reverses this escape before all others, so it is applied last. */
function escapeValue(value: string): string {
  return value
    .replace(/[\\\n\r\t]/g, (character) => ownValue(escapes, character) ?? character)
    .replace(/^ /, '\\s');
}
