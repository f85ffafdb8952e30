import { randomBytes } from 'node:crypto';
import { cpus, homedir, userInfo } from 'node:os';
import { app } from 'electron';
import { version } from '../../package.json';
import type { ImportEnvironment } from '../core/config/import/import-strategy.ts';
import type { ControlPanel } from '../core/control-panel-api.ts';
import { createControlPanel } from '../core/control-panel.ts';
import { readBootId } from '../core/platform/boot-id.ts';
import { spawnDeathPipeWatcher } from '../core/platform/death-pipe.ts';
import { LoginPath } from '../core/platform/login-path.ts';
import { captureLoginPath } from '../core/platform/login-shell.ts';
import { processTableForPlatform } from '../core/platform/process-table-for-platform.ts';
import type { ProcessTable } from '../core/platform/process-table.ts';
import { signallerForPlatform } from '../core/platform/signals.ts';
import { spawnChild } from '../core/platform/spawner.ts';
import { defaultStartConcurrency } from '../core/supervisor/start/start-gate.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import type { DisposeStack } from './dispose-stack.ts';

const TOKEN_BYTES = 16;

export interface OpenPanelOptions {
  /** Undoes it. */
  readonly parts: DisposeStack;
  /** No server starts before this has come. */
  readonly startsAfter: Promise<void>;
}

/** The control panel on this machine's processes and clocks; nothing runs before its `start`. */
export function openPanel(home: string, { parts, startsAfter }: OpenPanelOptions): Promise<ControlPanel> {
  const table = processTableForPlatform(systemClock);
  parts.add(() => table.dispose());
  const panel = readBootId().then((bootId) =>
    createControlPanel({
      home,
      appVersion: version,
      electronVersion: process.versions.electron,
      asksQuestions: process.env['MCP_CONTROL_PANEL_TEST'] !== '1',
      clock: systemClock,
      wallClock: systemClock,
      random: Math.random,
      createToken,
      table,
      signaller,
      spawner: spawnChild,
      parentEnvironment: process.env,
      loginPath: app.isPackaged ? loginPath(table) : undefined,
      startConcurrency: defaultStartConcurrency(cpus().length),
      bootId,
      ownPid: process.pid,
      importEnvironment: importEnvironment(),
      startsAfter,
      spawnDeathPipeWatcher: process.platform === 'win32' ? undefined : () => spawnDeathPipeWatcher(),
    }),
  );
  parts.add(async () => (await panel).dispose());
  return panel;
}

const createToken = () => randomBytes(TOKEN_BYTES).toString('hex');
const signaller = signallerForPlatform(process.platform);

function loginPath(table: ProcessTable): LoginPath {
  const deps = { table, signaller, spawner: spawnChild, clock: systemClock, createMarker: createToken };
  const userShell = process.platform === 'win32' ? undefined : (userInfo().shell ?? undefined);
  const person = { platform: process.platform, parent: process.env, home: homedir(), userShell };
  return new LoginPath({
    clock: systemClock,
    capture: (signal) => captureLoginPath({ ...deps, ...person }, signal),
  });
}

function importEnvironment(): ImportEnvironment {
  const { APPDATA: appData, XDG_CONFIG_HOME: xdgConfigHome } = process.env;
  return {
    home: homedir(),
    platform: process.platform,
    ...(appData && { appData }),
    ...(xdgConfigHome && { xdgConfigHome }),
  };
}
