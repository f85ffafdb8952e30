import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';

const OWNER_ONLY = 0o700;

/**
 * Names the app and settles its home folder, which exists afterwards. Comes before all else: the single-instance
 * lock and the browser profile are placed by it.
 */
export function settleAppPaths(environment: NodeJS.ProcessEnv): string {
  app.setName('MCP Control Panel');
  const wanted = environment['MCP_CONTROL_PANEL_HOME'];
  const home = wanted ? resolve(wanted) : join(app.getPath('appData'), 'mcp-control-panel');
  mkdirSync(home, { recursive: true, mode: OWNER_ONLY });
  app.setPath('userData', home);
  // Chromium's caches and stores fill a folder of their own, apart from what people look for.
  app.setPath('sessionData', join(home, 'browser'));
  return home;
}
