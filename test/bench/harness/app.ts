import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { Snapshot } from '../../../shared/domain.ts';
import { appEnvironment } from '../../e2e/support/app-environment.ts';
import { electronCommand, openDisplay } from '../../e2e/support/electron-command.ts';
import { killAll, processesOfTest, TEST_RUN_NAME } from '../../e2e/support/processes.ts';
import { desktopWithTray } from '../../e2e/support/tray.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

export interface IdlePanel {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly runId: string;
  readonly mainPid: number;
  /** Lines about states that the terminal has had so far. */
  stateLines(): number;
  snapshot(): Promise<Snapshot>;
}

export interface PanelExtras {
  /** Puts further files into the home before the launch. */
  readonly prepare?: (home: string) => void;
  /** Arguments before the app on its command line. */
  readonly args?: readonly string[];
}

/** The real app with these servers, a tray, and collection of garbage on demand, for as long as `use` takes. */
export async function withPanel<T>(
  servers: Readonly<Record<string, object>>,
  use: (panel: IdlePanel) => Promise<T>,
  extras: PanelExtras = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'idle-panel-'));
  const runId = randomUUID();
  const display = await openDisplay();
  const desktop = desktopWithTray();
  let panel: IdlePanel | undefined;
  try {
    panel = await launch({ ...extras, folder, runId, servers, env: { ...display.env, ...desktop.env } });
    return await use(panel);
  } finally {
    await panel?.app.close().catch(() => undefined);
    killAll(processesOfTest(runId));
    await waitUntil('everything to end', () => processesOfTest(runId).length === 0);
    desktop.remove();
    await display.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Launch extends PanelExtras {
  readonly folder: string;
  readonly runId: string;
  readonly servers: Readonly<Record<string, object>>;
  readonly env: Readonly<Record<string, string>>;
}

async function launch({
  folder,
  runId,
  servers,
  env,
  prepare,
  args: extraArgs = [],
}: Launch): Promise<IdlePanel> {
  const { executablePath, args } = await electronCommand();
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
  prepare?.(home);
  const app = await _electron.launch({
    executablePath,
    args: [...extraArgs, ...args, '--js-flags=--expose-gc', '--enable-precise-memory-info'],
    env: appEnvironment(home, { [TEST_RUN_NAME]: runId }, env),
    chromiumSandbox: true,
  });
  let stateLines = 0;
  app.process().stdout?.on('data', (chunk: Buffer) => {
    stateLines += chunk.toString().match(/^\d{4}-\S+Z \S+ [a-z]+/gm)?.length ?? 0;
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  const snapshot = () =>
    page.evaluate(() =>
      (
        globalThis as unknown as { controlPanel: { getSnapshot(): Promise<unknown> } }
      ).controlPanel.getSnapshot(),
    ) as Promise<Snapshot>;
  return { app, page, runId, mainPid: app.process().pid!, stateLines: () => stateLines, snapshot };
}
