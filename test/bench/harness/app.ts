import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { Snapshot } from '../../../shared/domain.ts';
import { appEnvironment } from '../../e2e/support/app-environment.ts';
import { electronCommand, openDisplay } from '../../e2e/support/electron-command.ts';
import { killAll, processesOfTest, TEST_RUN_NAME } from '../../e2e/support/processes.ts';
import { desktopWithTray } from '../../e2e/support/tray.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { inFolder, writeHome, type Servers } from '../../support/homes.ts';

type Environment = Readonly<Record<string, string>>;

export interface LaunchedApp {
  readonly app: ElectronApplication;
  readonly page: Page;
}

/** The built app with its window, which is loaded. @param extraArgs before and behind the app on its command line */
export async function launchApp(
  home: string,
  env: Environment,
  [before, behind]: readonly [before: readonly string[], behind: readonly string[]] = [[], []],
): Promise<LaunchedApp> {
  const { executablePath, args } = await electronCommand();
  const app = await _electron.launch({
    executablePath,
    args: [...before, ...args, ...behind],
    env: appEnvironment(home, env),
    chromiumSandbox: true,
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  return { app, page };
}

/** Ends the app in order. */
export async function quitApp(app: ElectronApplication): Promise<void> {
  const exited = once(app.process(), 'exit');
  await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
  await exited;
}

/** The bus of the desktop that is there, for an app that is to use it. */
export const desktopBus = {
  DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? 'disabled:',
};

export interface BenchApp extends LaunchedApp {
  readonly runId: string;
  readonly mainPid: number;
  snapshot(): Promise<Snapshot>;
}

export interface AppExtras {
  readonly settings?: object;
  /** Puts further files into the home before the launch. */
  readonly prepare?: (home: string) => void;
  /** Arguments before the app on its command line. */
  readonly args?: readonly string[];
  /** Whether there is a tray, and collection of garbage on demand. */
  readonly hasTray?: boolean;
}

/** The real app with these servers, and with all that it started ended, for as long as `use` takes. */
export const withApp = <T>(
  servers: Servers,
  use: (app: BenchApp) => Promise<T>,
  { settings, prepare, args = [], hasTray = false }: AppExtras = {},
): Promise<T> =>
  inFolder(async (folder) => {
    const runId = randomUUID();
    const home = writeHome(join(folder, 'home'), servers, settings);
    prepare?.(home);
    const display = await openDisplay();
    const desktop = hasTray ? desktopWithTray() : undefined;
    const flags = hasTray ? ['--js-flags=--expose-gc', '--enable-precise-memory-info'] : [];
    let launched: LaunchedApp | undefined;
    try {
      const env = { [TEST_RUN_NAME]: runId, ...display.env, ...desktop?.env };
      launched = await launchApp(home, env, [args, flags]);
      return await use(benchApp(launched, runId));
    } finally {
      await launched?.app.close().catch(() => undefined);
      killAll(processesOfTest(runId));
      await waitUntil('everything to end', () => processesOfTest(runId).length === 0);
      desktop?.remove();
      await display.end();
    }
  });

function benchApp(launched: LaunchedApp, runId: string): BenchApp {
  const { app, page } = launched;
  const snapshot = () => page.evaluate<Snapshot>('controlPanel.getSnapshot()');
  return { ...launched, runId, mainPid: app.process().pid!, snapshot };
}

/** Waits until so many servers run. */
export const untilRunning = ({ page }: LaunchedApp, count: number, limitMs: number) =>
  waitUntil(`${count} servers to run`, async () => (await page.evaluate(RUNNING)) === count, limitMs);

const RUNNING = `controlPanel.getSnapshot().then(({ servers }) =>
  servers.filter(({ state }) => state.kind === 'running').length)`;

/** What goes to the page while `act` runs, as JSON. */
export async function sentDuring({ app }: LaunchedApp, act: () => Promise<unknown>) {
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]!.webContents;
    const counter = globalThis as { benchSent?: { bytes: number; messages: number; undo: () => void } };
    const send = contents.send.bind(contents);
    counter.benchSent = { bytes: 0, messages: 0, undo: () => (contents.send = send) };
    contents.send = (channel: string, ...args: unknown[]) => {
      counter.benchSent!.bytes += JSON.stringify(args).length;
      counter.benchSent!.messages += 1;
      send(channel, ...args);
    };
  });
  await act();
  return app.evaluate(() => {
    const { benchSent } = globalThis as { benchSent?: { bytes: number; messages: number; undo: () => void } };
    benchSent!.undo();
    return { bytes: benchSent!.bytes, messages: benchSent!.messages };
  });
}
