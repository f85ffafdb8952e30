import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { isJsonObject } from '../../../shared/json-object.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Folder of the panel: as the app finds it (`shell/app/app-paths.ts`), without Electron. */
export function panelHome(env: Environment, platform = process.platform, userHome = homedir()): string {
  const wanted = env['MCP_CONTROL_PANEL_HOME'];
  if (wanted) return resolve(wanted);
  return join(settingsFolder(env, platform, userHome), 'mcp-control-panel');
}

function settingsFolder(env: Environment, platform: NodeJS.Platform, userHome: string): string {
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support');
  if (platform === 'win32') return env['APPDATA'] || join(userHome, 'AppData', 'Roaming');
  const configured = env['XDG_CONFIG_HOME'] ?? '';
  return isAbsolute(configured) ? configured : join(userHome, '.config');
}

/** As `shared/settings.ts`, whose schemas would take longer to load than all else here. */
export const DEFAULT_PORT = 7411;

/** Port on which clients reach the panel of this home; undefined where it is another at each start, or switched off. */
export function panelPort(home: string): number | undefined {
  const settings: unknown = parse(readText(join(home, 'settings.json')));
  const gateway = isJsonObject(settings) ? settings['gateway'] : undefined;
  if (!isJsonObject(gateway)) return DEFAULT_PORT;
  const { enabled, port = DEFAULT_PORT } = gateway;
  return enabled === false || typeof port !== 'number' || port === 0 ? undefined : port;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return '{}'; // Nobody has changed a setting.
  }
}
