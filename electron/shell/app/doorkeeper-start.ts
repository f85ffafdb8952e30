import { join } from 'node:path';
import { app } from 'electron';
import type { DoorkeeperStart } from '../../core/doorkeeper/spawn-keeper.ts';
import { hiddenStartForClient } from './login-item.ts';

/** Path of the bridge: next to the archive in a package, otherwise in the build. */
export function bridgeScript(): string {
  const folder = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'out');
  return join(folder, 'bridge', 'bridge.cjs');
}

/** Returns how this app starts its doorkeeper. Clients start neither a run from source nor a test run. */
export function doorkeeperStart(): DoorkeeperStart {
  const { APPIMAGE: appImage, MCP_CONTROL_PANEL_TEST: isTest } = process.env;
  const mayBeStarted = app.isPackaged && isTest !== '1';
  // An AppImage runs from a mount that no longer exists after it ends.
  const program = appImage || process.execPath;
  return {
    script: bridgeScript(),
    panelCommand: mayBeStarted ? [program, ...hiddenStartForClient(process.argv)] : [],
  };
}
