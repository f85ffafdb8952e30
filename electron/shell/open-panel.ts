import { randomBytes } from 'node:crypto';
import { cpus, homedir, userInfo } from 'node:os';
import { version } from '../../package.json';
import type { ImportEnvironment } from '../core/config/import/import-strategy.ts';
import type { ControlPanel } from '../core/control-panel-api.ts';
import { createControlPanel } from '../core/control-panel.ts';
import { readBootId } from '../core/platform/boot-id.ts';
import { spawnDeathPipeWatcher } from '../core/platform/death-pipe.ts';
import { LoginPath } from '../core/platform/login-path.ts';
import { captureLoginPath } from '../core/platform/login-shell.ts';
import { findPrlimit, markingSpawner } from '../core/platform/marking-spawner.ts';
import { isAskedOfShell } from '../core/platform/person-environment.ts';
import { processTableForPlatform } from '../core/platform/process-table-for-platform.ts';
import type { ProcessTable } from '../core/platform/process-table.ts';
import { signallerForPlatform } from '../core/platform/signals.ts';
import { runCommand } from '../core/platform/run-command.ts';
import { spawnChild, type Spawner } from '../core/platform/spawner.ts';
import { defaultStartConcurrency } from '../core/supervisor/start/start-gate.ts';
import { systemClock } from '../core/platform/system-clock.ts';
import type { DisposeStack } from './dispose-stack.ts';

const TOKEN_BYTES = 16;
const NO_LOGIN_PATH = 'the login shell could not be asked for its PATH, so servers get that of the panel';
const NO_LIMIT_MARK =
  'prlimit (of util-linux) does not work here, so a server that detaches processes with an environment of their own leaves them running when it stops';

export interface OpenPanelOptions {
  /** Undoes it. */
  readonly parts: DisposeStack;
  /** No server starts before this has come. */
  readonly startsAfter: Promise<void>;
  /** One sentence for people. */
  readonly notice: (line: string) => void;
}

/** The control panel on this machine's processes and clocks; nothing runs before its `start`. */
export function openPanel(
  home: string,
  { parts, startsAfter, notice }: OpenPanelOptions,
): Promise<ControlPanel> {
  const table = processTableForPlatform(systemClock);
  parts.add(() => table.dispose());
  const spawner = createSpawner(notice);
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
      spawner,
      parentEnvironment: process.env,
      personHome: homedir(),
      loginPath: loginPath({ table, spawner, notice }),
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

/** Looks for prlimit with the first server that starts. */
function createSpawner(notice: (line: string) => void): Spawner {
  let prlimit: Promise<string | undefined> | undefined;
  return markingSpawner(spawnChild, () => (prlimit ??= findPrlimit(runCommand).then(told)));
  function told(found: string | undefined): string | undefined {
    if (found === undefined && process.platform === 'linux') notice(NO_LIMIT_MARK);
    return found;
  }
}

interface LoginPathDeps extends Pick<OpenPanelOptions, 'notice'> {
  readonly table: ProcessTable;
  readonly spawner: Spawner;
}

function loginPath({ table, spawner, notice }: LoginPathDeps): LoginPath {
  const deps = { table, signaller, spawner, clock: systemClock, createMarker: createToken };
  const person = { platform: process.platform, parent: process.env, home: homedir(), userShell: userShell() };
  return new LoginPath({
    clock: systemClock,
    capture: async (signal) => {
      const found = await captureLoginPath({ ...deps, ...person, isWanted: isAskedOfShell }, signal);
      if (found.problem !== undefined && !signal.aborted) notice(`${NO_LOGIN_PATH}: ${found.problem}`);
      return found;
    },
  });
}

/** Undefined where the system's list of people does not have this one, as in many containers. */
function userShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
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
