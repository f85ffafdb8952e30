import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/**
 * Returns the data folder of the panel: MCP_CONTROL_PANEL_HOME if it is set, else a folder in the usual location of the
 * platform.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {{ platform?: string, userHome?: string }} [machine]
 */
export function panelHome(env = process.env, { platform = process.platform, userHome = homedir() } = {}) {
  if (env.MCP_CONTROL_PANEL_HOME) return resolve(env.MCP_CONTROL_PANEL_HOME);
  return join(settingsFolder(env, platform, userHome), 'mcp-control-panel');
}

/** @param {NodeJS.ProcessEnv} env @param {string} platform @param {string} userHome */
function settingsFolder(env, platform, userHome) {
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support');
  if (platform === 'win32') return env.APPDATA || join(userHome, 'AppData', 'Roaming');
  // A relative path is ignored, as the XDG base directory specification demands.
  const configured = env.XDG_CONFIG_HOME ?? '';
  return isAbsolute(configured) ? configured : join(userHome, '.config');
}
