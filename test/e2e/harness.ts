import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { ServerView, Snapshot } from '../../shared/domain.ts';
import { appEnvironment } from './support/app-environment.ts';
import { captureInto, type CapturedOutput } from './support/captured-output.ts';
import {
  electronCommand,
  openDisplay,
  type Display,
  type ElectronCommand,
} from './support/electron-command.ts';
import { killAll, processesOfTest, TEST_RUN_NAME, type MarkedProcess } from './support/processes.ts';
import { waitUntil } from './support/wait-until.ts';
import { isAlive } from '../support/proc.ts';

const LAUNCH_LIMIT_MS = 30_000;
/** Limit for quitting, somewhat longer than the app's own. */
const QUIT_LIMIT_MS = 25_000;

export interface LaunchOptions {
  /** Servers of servers.json (`mcpServers`); none are started without it. */
  readonly servers?: Readonly<Record<string, unknown>>;
  /** Variables added to the environment of the app. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments added to the command line of the app. */
  readonly args?: readonly string[];
  /** Home of an earlier launch, taken over with all that is in it. */
  readonly home?: string;
}

/** Started app, with what is needed to look at it from outside. */
export interface StartedPanel extends CapturedOutput {
  readonly home: string;
  readonly pid: number;
  /** Living processes of the servers, found by their environment. */
  serverProcesses(): MarkedProcess[];
  /** Exit code, undefined while the app runs, null when a signal ended it. */
  exitCode(): number | null | undefined;
  /** Asks the app to end as a terminal would. Resolves with the exit code. */
  terminate(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Panel whose window can be driven. */
export interface DrivenPanel extends StartedPanel {
  readonly app: ElectronApplication;
  readonly page: Page;
  snapshot(): Promise<Snapshot>;
  /** Calls a function of `window.controlPanel`; a rejection is returned as `{ rejected }`. */
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>;
}

export interface Panels {
  /** Starts the built app in a fresh home and waits for its page. */
  launch(options?: LaunchOptions): Promise<DrivenPanel>;
  /** Starts the app without a driver, exactly as a launcher does. */
  start(options?: LaunchOptions): StartedPanel;
  /** Makes an empty folder, which is removed once the panels have ended. */
  tempFolder(name: string): string;
}

interface Run {
  readonly id: string;
  readonly folder: string;
  readonly home: string;
  readonly env: Record<string, string>;
  readonly args: readonly string[];
  child?: ChildProcess;
}

/**
 * Registers the hooks of a test file. What was started is ended after each test, or after all of them for
 * tests that share one panel; what survives its panel is a failure.
 * @param findCommand what to start, if not the build in `out/`
 */
export function usePanels(
  endAfter: 'each' | 'all' = 'each',
  findCommand: () => ElectronCommand | Promise<ElectronCommand> = electronCommand,
): Panels {
  let command: ElectronCommand;
  let display: Display;
  const runs: Run[] = [];
  const folders: string[] = [];

  beforeAll(async () => {
    command = await findCommand();
    display = await openDisplay();
  }, 600_000);
  const endRuns = async () => {
    for (const run of runs.splice(0)) await endRun(run);
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  };
  if (endAfter === 'each') afterEach(endRuns);
  afterAll(async () => {
    await endRuns();
    await display.end();
  });

  const createRun = (options: LaunchOptions) => {
    const run = prepareRun(options, display.env);
    runs.push(run);
    return run;
  };
  return {
    launch: async (options = {}) => launchDriven(createRun(options), command),
    start: (options = {}) => startPlain(createRun(options), command),
    tempFolder: (name) => {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), name)));
      folders.push(folder);
      return folder;
    },
  };
}

/**
 * Starts one panel for the tests of a file, because a start takes longer than most of what is tested. Each call gives it the
 * servers of one test, which run anew, and a fresh page on the list; what else a test changed stays.
 */
export function sharedPanel(
  panels: Panels,
  options: LaunchOptions = {},
): (servers?: LaunchOptions['servers']) => Promise<DrivenPanel> {
  let panel: DrivenPanel;
  beforeAll(async () => {
    panel = await panels.launch(options);
  });
  return async (servers = {}) => {
    await replaceServers(panel, {});
    await waitUntil('the processes before to end', () => panel.serverProcesses().length === 0);
    await panel.page.evaluate(`void (location.hash = '#/servers')`);
    await panel.page.reload();
    await replaceServers(panel, servers);
    return panel;
  };
}

/** Writes other servers into servers.json, and waits until the panel has them. */
async function replaceServers(panel: DrivenPanel, servers: Readonly<Record<string, unknown>>): Promise<void> {
  replaceFile(join(panel.home, 'servers.json'), JSON.stringify({ mcpServers: servers }, null, 2));
  const names = Object.keys(servers).sort().join();
  await waitUntil(`the servers to be "${names}"`, async () => {
    const { config, servers: known } = await panel.snapshot();
    return (
      config.error === undefined &&
      known
        .map(({ name }) => name)
        .sort()
        .join() === names
    );
  });
}

/** What the panel knows of a server. @throws where there is none of that name */
export async function serverOf(panel: DrivenPanel, name: string): Promise<ServerView> {
  const found = (await panel.snapshot()).servers.find((server) => server.name === name);
  if (!found) throw new Error(`no server ${name} in the snapshot`);
  return found;
}

/** Replaces a file by a new one, as editors do. */
export function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function prepareRun(
  { servers = {}, env = {}, args = [], home }: LaunchOptions,
  displayEnv: Readonly<Record<string, string>>,
): Run {
  const id = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'mcp-control-panel-e2e-'));
  const ownHome = home ?? join(folder, 'home');
  mkdirSync(ownHome, { recursive: true });
  if (home === undefined) {
    writeFileSync(join(ownHome, 'servers.json'), JSON.stringify({ mcpServers: servers }, null, 2));
    // Panels of tests run side by side, and only one of them could have the port of a person's panel.
    writeFileSync(join(ownHome, 'settings.json'), JSON.stringify({ gateway: { port: 0 } }));
  }
  return {
    id,
    folder,
    home: ownHome,
    args,
    env: appEnvironment(ownHome, displayEnv, { [TEST_RUN_NAME]: id }, env),
  };
}

async function launchDriven(run: Run, command: ElectronCommand): Promise<DrivenPanel> {
  const captured = captureInto(run.folder, command.executablePath);
  const app = await _electron.launch({
    executablePath: captured.executable,
    args: [...command.args, ...run.args],
    env: run.env,
    timeout: LAUNCH_LIMIT_MS,
    // The sandbox is asked for; the command itself says when it cannot be had.
    chromiumSandbox: true,
  });
  run.child = app.process();
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  const call = <T>(name: string, ...args: unknown[]) =>
    page.evaluate(callInPage, { name, args }) as Promise<T>;
  return {
    ...startedPanel(run, captured),
    app,
    page,
    snapshot: () => call<Snapshot>('getSnapshot'),
    call,
  };
}

/**
 * Calls a function in the page. A rejection becomes plain data because Playwright would turn it into an error
 * and lose it.
 */
async function callInPage({ name, args }: { name: string; args: unknown[] }): Promise<unknown> {
  const { controlPanel } = globalThis as unknown as {
    controlPanel: Record<string, (...values: unknown[]) => Promise<unknown>>;
  };
  try {
    return await controlPanel[name]?.(...args);
  } catch (rejected) {
    return { rejected };
  }
}

function startPlain(run: Run, command: ElectronCommand): StartedPanel {
  const captured = captureInto(run.folder, command.executablePath);
  // The app gets a process group of its own, as from a terminal.
  run.child = spawn(captured.executable, [...command.args, ...run.args], {
    env: run.env,
    stdio: 'ignore',
    detached: true,
  });
  return startedPanel(run, captured);
}

function startedPanel(run: Run, captured: CapturedOutput): StartedPanel {
  const child = run.child;
  if (child?.pid === undefined) throw new Error('the app did not start');
  const pid = child.pid;
  return {
    home: run.home,
    pid,
    stdout: () => captured.stdout(),
    stderr: () => captured.stderr(),
    serverProcesses: () => processesOfTest(run.id).filter(({ isServer }) => isServer),
    exitCode: () => (hasExited(child) ? child.exitCode : undefined),
    terminate: async (signal = 'SIGTERM') => {
      process.kill(pid, signal);
      await waitUntil('the app to exit', () => hasExited(child), QUIT_LIMIT_MS);
      return child.exitCode;
    },
  };
}

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/**
 * Quits the app and checks that nothing of the test is left.
 * @throws when something of a server outlived an orderly quit.
 */
async function endRun({ id, child, folder }: Run): Promise<void> {
  if (child?.pid !== undefined && !hasExited(child) && isAlive(child.pid)) {
    child.kill('SIGTERM');
    await waitUntil('the app to exit', () => hasExited(child), QUIT_LIMIT_MS).catch(() => undefined);
  }
  const wasOrderly = child?.exitCode === 0;
  const left = processesOfTest(id);
  killAll(left);
  await waitUntil('every process of the test to end', () => processesOfTest(id).length === 0);
  rmSync(folder, { recursive: true, force: true });
  const survivors = left.filter(({ isServer }) => isServer);
  if (wasOrderly && survivors.length > 0) {
    throw new Error(
      `the panel has quit, but these run on: ${survivors.map(({ command }) => command).join(', ')}`,
    );
  }
}
