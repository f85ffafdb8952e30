import { join } from 'node:path';
import { app } from 'electron';
import type { DoorkeeperStart } from '../../core/doorkeeper/spawn-keeper.ts';
import { hiddenStartForClient } from './login-item.ts';

/** Path of the bridge: beside the archive in a package, in the build else. */
export function bridgeScript(): string {
  const folder = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'out');
  return join(folder, 'bridge', 'bridge.cjs');
}

/** How this app starts its doorkeeper. Clients start neither a run from source nor one of a test. */
export function doorkeeperStart(): DoorkeeperStart {
  const { APPIMAGE: appImage, MCP_CONTROL_PANEL_TEST: isTest } = process.env;
  const mayBeStarted = app.isPackaged && isTest !== '1';
  // An AppImage runs from a mount that does not outlive it.
  const program = appImage || process.execPath;
  return {
    script: bridgeScript(),
    panelCommand: mayBeStarted ? [program, ...hiddenStartForClient(process.argv)] : [],
  };
}
