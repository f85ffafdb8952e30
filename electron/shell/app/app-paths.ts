import { chmodSync, lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app } from 'electron';
import { prepareHome } from '../../core/files/prepare-home.ts';

interface AppPaths {
  /** Absolute path of the data folder, which contains all files of the panel. */
  readonly home: string;
  /** Reason why the data folder cannot be used, so that the app cannot start; undefined if it can be used. */
  readonly problem: string | undefined;
}

/** Sets the app's name and data folder. Must run first, because the single-instance lock and browser profile are in it. */
export function settleAppPaths(environment: NodeJS.ProcessEnv): AppPaths {
  app.setName('MCP Control Panel');
  const wanted = environment['MCP_CONTROL_PANEL_HOME'];
  const home = wanted ? resolve(wanted) : join(app.getPath('appData'), 'mcp-control-panel');
  const problem = prepareHome(home);
  if (problem !== undefined) return { home, problem };
  app.setPath('userData', home);
  // Chromium's caches and stores get their own folder, separate from the files that users look for.
  app.setPath('sessionData', join(home, 'browser'));
  return { home, problem };
}

const OWNER_ONLY_FILE = 0o600;
/** File with the id of the installation. Chromium writes it with the mode that the umask gives. */
const CLIENT_ID = join('Crashpad', 'client_id');

/** Makes Chromium's file with the installation id readable only for the user. Call once the app is ready; never throws. */
export function closeChromiumFiles(home: string): void {
  const path = join(home, CLIENT_ID);
  try {
    if (lstatSync(path).isFile()) chmodSync(path, OWNER_ONLY_FILE);
  } catch {
    return; // The file is missing or belongs to another user. Other users have no access to its folder anyway.
  }
}
