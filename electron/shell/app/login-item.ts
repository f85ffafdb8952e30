import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { LoginItemSettings, LoginItemSettingsOptions, Settings } from 'electron';
import type { LoginState } from '../../../shared/system-state.ts';
import { errnoOf } from '../../core/errno.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';
import { writeAtomically } from '../../core/files/write-atomically.ts';
import { autostartFile } from './desktop-entry.ts';

/** Starts without a window, but for the icon in the tray. */
const HIDDEN_SWITCH = '--hidden';
/** The mode that such files have everywhere, because there is no secret in them. */
const READABLE_BY_ALL = 0o644;
/** Longest autostart file that is read; ours has a few hundred bytes. */
const MAX_ENTRY_BYTES = 64 * 1024;
const FILE_NAME = 'mcp-control-panel.desktop';

/** What Electron tells of the item; the state only on newer macOS and Electrons, the executable only on Windows. */
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
 * Has the system start the panel at login, without a window, or no longer. False, and nothing is done, in a run from
 * the source: what would be started then is a development tool.
 */
export async function setStartAtLogin(isOn: boolean, options: LoginItemOptions): Promise<boolean> {
  const { app, platform, executablePath } = options;
  if (!app.isPackaged) return false;
  if (platform === 'linux')
    await (isOn ? writeAutostart(options) : rm(autostartPath(options), { force: true }));
  else app.setLoginItemSettings({ openAtLogin: isOn, path: executablePath, args: [HIDDEN_SWITCH] });
  return true;
}

/** What the system says of the panel's start at login, whatever the panel's own setting is. @throws the system's error */
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

/** Keys by which desktops switch an autostart file off: that of the specification, and GNOME's own. */
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

/** True when the panel was started to stay out of sight. macOS tells of a login in its own way, without arguments. */
export function isHiddenStart(argv: readonly string[], wasOpenedAtLogin: boolean): boolean {
  return argv.includes(HIDDEN_SWITCH) || wasOpenedAtLogin;
}

/** Atomic, so that a crash leaves no half a file for the next login. */
async function writeAutostart(options: LoginItemOptions): Promise<void> {
  const { executablePath, environment } = options;
  const path = autostartPath(options);
  // An AppImage runs from a mount that is gone by the next login.
  const program = environment['APPIMAGE'] || executablePath;
  const text = autostartFile({
    name: 'MCP Control Panel',
    comment: 'Supervises Model Context Protocol servers',
    command: [program, HIDDEN_SWITCH],
  });
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, text, { mode: READABLE_BY_ALL });
}

/** A relative XDG_CONFIG_HOME counts as none, as the spec wants it. */
function autostartPath({ environment }: LoginItemOptions): string {
  const given = environment['XDG_CONFIG_HOME'] ?? '';
  const config = isAbsolute(given) ? given : join(environment['HOME'] ?? homedir(), '.config');
  return join(config, 'autostart', FILE_NAME);
}
