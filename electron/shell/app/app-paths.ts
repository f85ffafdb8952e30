import { join, resolve } from 'node:path';
import { app } from 'electron';
import { prepareHome } from '../../core/files/prepare-home.ts';

export interface AppPaths {
  /** Holds everything; absolute. */
  readonly home: string;
  /** Why it cannot: nothing works then. */
  readonly problem: string | undefined;
}

/** Names the app and settles its home folder. Comes before all else: single-instance lock and browser profile lie in it. */
export function settleAppPaths(environment: NodeJS.ProcessEnv): AppPaths {
  app.setName('MCP Control Panel');
  const wanted = environment['MCP_CONTROL_PANEL_HOME'];
  const home = wanted ? resolve(wanted) : join(app.getPath('appData'), 'mcp-control-panel');
  const problem = prepareHome(home);
  if (problem !== undefined) return { home, problem };
  app.setPath('userData', home);
  // Chromium's caches and stores fill a folder of their own, apart from what people look for.
  app.setPath('sessionData', join(home, 'browser'));
  return { home, problem };
}
