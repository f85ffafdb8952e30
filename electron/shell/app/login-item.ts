import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Settings } from 'electron';
import { writeAtomically } from '../../core/files/write-atomically.ts';
import { autostartFile } from './desktop-entry.ts';

/** Starts without a window, but for the icon in the tray. */
const HIDDEN_SWITCH = '--hidden';
/** The mode that such files have everywhere, because there is no secret in them. */
const READABLE_BY_ALL = 0o644;
const FILE_NAME = 'mcp-control-panel.desktop';

export interface LoginItemOptions {
  readonly app: {
    readonly isPackaged: boolean;
    setLoginItemSettings(settings: Settings): void;
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
