import { join, resolve } from 'node:path';
import { app } from 'electron';
import { prepareHome } from '../../core/files/prepare-home.ts';

export interface AppPaths {
  /** Absolute path of the folder that holds everything. */
  readonly home: string;
  /** Reason why it cannot be used, so that the app cannot start; undefined if it can. */
  readonly problem: string | undefined;
}

/** Sets the app's name and home folder. Must run first, because single-instance lock and browser profile lie in it. */
export function settleAppPaths(environment: NodeJS.ProcessEnv): AppPaths {
  app.setName('MCP Control Panel');
  const wanted = environment['MCP_CONTROL_PANEL_HOME'];
  const home = wanted ? resolve(wanted) : join(app.getPath('appData'), 'mcp-control-panel');
  const problem = prepareHome(home);
  if (problem !== undefined) return { home, problem };
  app.setPath('userData', home);
  // Chromium's caches and stores get their own folder, apart from the files that users look for.
  app.setPath('sessionData', join(home, 'browser'));
  return { home, problem };
}
