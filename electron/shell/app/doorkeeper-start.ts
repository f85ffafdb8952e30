import { join } from 'node:path';
import { app } from 'electron';
import type { DoorkeeperStart } from '../../core/doorkeeper/spawn-keeper.ts';
import { hiddenStartForClient } from './login-item.ts';

/** Path of the bridge, which MCP clients start to reach the panel: next to the archive if packaged, else in the build output. */
export function bridgeScript(): string {
  const folder = app.isPackaged ? process.resourcesPath : join(app.getAppPath(), 'out');
  return join(folder, 'bridge', 'bridge.cjs');
}

/**
 * Returns how this app starts its doorkeeper, the background process that starts the panel when a client needs it. The
 * doorkeeper gets no command to start the panel if this app runs from source or in a test.
 */
export function doorkeeperStart(): DoorkeeperStart {
  const { APPIMAGE: appImage, MCP_CONTROL_PANEL_TEST: isTest } = process.env;
  const mayBeStarted = app.isPackaged && isTest !== '1';
  // For an AppImage, the path of the AppImage file itself is needed, because the running program is inside a mount that
  // disappears when the app ends.
  const program = appImage || process.execPath;
  return {
    script: bridgeScript(),
    panelCommand: mayBeStarted ? [program, ...hiddenStartForClient(process.argv)] : [],
  };
}
