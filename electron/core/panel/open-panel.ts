import { randomBytes } from 'node:crypto';
import { cpus, homedir, totalmem, userInfo } from 'node:os';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { importEnvironment } from '../config/import/client-files.ts';
import { createPanel, type ControlPanel } from './control-panel.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { scanForPlatform } from '../left-behind/parent-scan.ts';
import { readBootId } from '../platform/boot-id.ts';
import { spawnDeathPipeWatcher } from '../platform/death-pipe.ts';
import { LoginPath } from '../platform/login-path.ts';
import { captureLoginPath } from '../platform/login-shell.ts';
import { findNode, spawnKeeper, type DoorkeeperStart } from '../doorkeeper/spawn-keeper.ts';
import type { WaitingProcess } from '../doorkeeper/stand-by.ts';
import type { HelperProcess } from '../platform/helper-process.ts';
import {
  findPrlimit,
  markingSpawner,
  cappingSpawner,
  findScopes,
  type Scopes,
} from '../platform/marking-spawner.ts';
import { openProcessSystem, type ProcessSystem } from '../platform/process-system.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import { signallerForPlatform, isPidTaken } from '../platform/signals.ts';
import { readableSpawner } from '../platform/readable-spawner.ts';
import { runCommand } from '../platform/run-command.ts';
import { spawnChild, type Spawner } from '../platform/spawner.ts';
import {
  captureRegistryPath,
  codePagesOf,
  registryQuery,
  type QueryRegistry,
} from '../platform/windows/registry.ts';
import type { CodePages } from '../platform/windows/text-decoding.ts';
import { keyringAsker } from '../secrets/ask-keyring.ts';
import { requireNoOtherPanel } from '../supervisor/custody/open-custody.ts';
import { defaultStartConcurrency } from '../supervisor/start/start-gate.ts';
import { systemClock } from '../platform/system-clock.ts';
import type { DisposeStack } from '../dispose-stack.ts';

const TOKEN_BYTES = 16;
const US_PER_MS = 1000;
const NO_LOGIN_PATH = 'the login shell could not be asked for its PATH, so servers get the PATH of the panel';
const NO_REGISTRY =
  'the registry could not be asked for PATH, so programs that were installed since the panel was started are not found';
/**
 * Milliseconds for which a PATH that was read from the Windows registry is reused. Without this, several servers that start
 * together and do not find their commands would each read the registry.
 */
const REGISTRY_FRESH_MS = 3000;
const NO_LIMIT_MARK =
  'prlimit (of util-linux) does not work here, so a server that detaches processes with their own environment leaves them running when it stops';

export interface OpenPanelOptions extends Pick<
  ControlPanelOptions,
  | 'home'
  | 'appVersion'
  | 'electronVersion'
  | 'asksQuestions'
  | 'bridgeScript'
  | 'consent'
  | 'openBrowser'
  | 'secretsPassphrase'
> {
  /**
   * How to start the doorkeeper, the process that keeps the gateway's port while the panel is not running. Default: there is no
   * doorkeeper.
   */
  readonly doorkeeper?: DoorkeeperStart;
  /** Collects what must be disposed when the app ends. */
  readonly parts: DisposeStack;
  /** Script of the history thread: `store/store-worker.ts`, or its bundle. */
  readonly storeWorker: string | URL;
  /** Script of the log reading thread: `logs/logs-worker.ts`, or its bundle. */
  readonly logsWorker: string | URL;
  /** Script of the parser thread for long messages: `mcp/worker/message-worker.ts`, or its bundle. */
  readonly messageWorker: string | URL;
  /** Starts `secrets/keyring-helper.ts`, or its bundle, in a separate process. If undefined, the panel uses no keyring. */
  readonly startKeyringHelper?: () => HelperProcess;
  /** Promise that delays the first start of a server. Default: no delay. */
  readonly startsAfter?: Promise<void>;
  /** Called with one sentence for the user. */
  readonly notice: (line: string) => void;
}

/**
 * Opens the panel with the real processes, files and clocks of this machine, with or without an app window. No server runs
 * before the panel's `start` is called. Rejects if another panel has servers running in the same home folder.
 */
export function openPanel(options: OpenPanelOptions): Promise<ControlPanel> {
  const { parts, notice } = options;
  const registry = registryQuery(process.env);
  const codePages = codePagesOf(registry);
  const system = openProcessSystem({ clock: systemClock, platform: process.platform });
  parts.add(() => system.then(({ table }) => table.dispose()));
  const panel = Promise.all([readBootId(), system]).then(async ([bootId, { table, holding, problem }]) => {
    if (problem !== undefined) notice(problem);
    const spawner = createSpawner({ holding, notice, codePages });
    await requireNoOtherPanel(options.home, { table, bootId, ownPid: process.pid, isPidTaken });
    const login =
      process.platform === 'win32'
        ? registryPath({ registry, codePages, notice })
        : loginPath({ table, spawner, notice });
    return createPanel({
      ...options,
      ...(options.doorkeeper && { startDoorkeeper: doorkeeperStarter(options, options.doorkeeper, login) }),
      machine: { memoryBytes: totalmem(), coreCount: cpus().length },
      clock: systemClock,
      wallClock: systemClock,
      random,
      createToken,
      randomBytes,
      table,
      signaller,
      spawner,
      run: runCommand,
      parentEnvironment: process.env,
      userHome: homedir(),
      loginPath: login,
      startConcurrency: defaultStartConcurrency(cpus().length),
      bootId,
      ownPid: process.pid,
      cpuTimeMs,
      importEnvironment: importEnvironment(),
      createScan: scanForPlatform({
        platform: process.platform,
        table,
        ownPid: process.pid,
        run: runCommand,
        signaller,
      }),
      startStoreWorker: () => new Worker(options.storeWorker, { name: 'history' }),
      startLogsWorker: (workerData) => helpingWorker(options.logsWorker, { name: 'logs', workerData }),
      startMessageWorker: () => helpingWorker(options.messageWorker, { name: 'messages' }),
      ...keyringOf(options),
      spawnDeathPipeWatcher: process.platform === 'win32' ? undefined : () => spawnDeathPipeWatcher(),
    });
  });
  // If the panel failed to open, there is nothing to dispose. The error is not handled here, because the caller of `openPanel`
  // gets it.
  parts.add(() =>
    panel.then(
      (ready) => ready.dispose(),
      () => undefined,
    ),
  );
  return panel;
}

/** Starts a worker thread that does not keep this process alive. */
function helpingWorker(file: string | URL, options: WorkerOptions): Worker {
  const worker = new Worker(file, options);
  worker.unref();
  return worker;
}

/**
 * Returns the function that accesses the keyring; nothing if there is no keyring. Requests that are still open when the panel
 * is disposed are aborted.
 */
function keyringOf({ parts, startKeyringHelper }: OpenPanelOptions): Pick<ControlPanelOptions, 'askKeyring'> {
  if (startKeyringHelper === undefined) return {};
  const ended = new AbortController();
  parts.add(() => ended.abort());
  const asker = { clock: systemClock, startHelper: startKeyringHelper, ended: ended.signal };
  return { askKeyring: keyringAsker(asker) };
}

const createToken = () => randomBytes(TOKEN_BYTES).toString('hex');
/** Returns a random number of at least 0 and less than 1. */
const random = () => randomBytes(4).readUInt32BE() / 2 ** 32;
const cpuTimeMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / US_PER_MS;
};
const signaller = signallerForPlatform(process.platform);

interface SpawnerDeps extends Pick<RegistryDeps, 'notice' | 'codePages'>, Pick<ProcessSystem, 'holding'> {}

/**
 * Creates the spawner for servers. When the first server starts, it searches for prlimit, which limits the resources of a
 * process. Windows has no prlimit; there, the spawner needs the code pages of the system instead.
 */
function createSpawner({ holding, notice, codePages }: SpawnerDeps): Spawner {
  if (process.platform === 'win32') return holding(readableSpawner(spawnChild, codePages));
  let prlimit: Promise<string | undefined> | undefined;
  let scopes: Promise<Scopes | undefined> | undefined;
  const marking = markingSpawner(holding(spawnChild), () => (prlimit ??= findPrlimit(runCommand).then(told)));
  const uncapped = (why: string) => notice(`"panel.caps" of servers is not applied in full: ${why}`);
  return cappingSpawner(marking, () => (scopes ??= findScopes(runCommand, uncapped)));
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
      const found = await captureLoginPath({ ...deps, ...person }, signal);
      if (found.problem !== undefined && !signal.aborted) notice(`${NO_LOGIN_PATH}: ${found.problem}`);
      return found;
    },
  });
}

interface RegistryDeps extends Pick<OpenPanelOptions, 'notice'> {
  readonly registry: QueryRegistry;
  readonly codePages: () => Promise<CodePages>;
}

/**
 * Returns the PATH from the Windows registry. The PATH of this process does not contain programs that were installed after the
 * panel started.
 */
function registryPath({ registry, codePages, notice }: RegistryDeps): LoginPath {
  return new LoginPath({
    clock: systemClock,
    isLazy: true,
    recaptureMs: REGISTRY_FRESH_MS,
    capture: async () => {
      const found = await captureRegistryPath(registry, process.env, codePages);
      if (found.problem !== undefined) notice(`${NO_REGISTRY}: ${found.problem}`);
      return found;
    },
  });
}

function doorkeeperStarter(
  { home }: Pick<OpenPanelOptions, 'home'>,
  { node, ...start }: DoorkeeperStart,
  login: LoginPath,
): () => Promise<WaitingProcess> {
  return async () => {
    const found = node ?? (await findNode()) ?? (await findNode((await login.ensure()).path));
    if (found === undefined) throw new Error('no Node.js was found on the PATH');
    return spawnKeeper({ ...start, node: found, home, env: process.env, platform: process.platform });
  };
}

/** Returns the login shell of the current user; undefined if the system has no entry for the user, as in many containers. */
function userShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}
