import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { writeMonth } from '../fixtures/month/write-month.ts';
import { pictureEntry } from './picture-servers.ts';

const checkout = resolve(import.meta.dirname, '../..');

export interface PictureApp {
  readonly app: ElectronApplication;
  readonly page: Page;
}

/** Runs the built app for as long as `use` takes, on so many servers with a month behind them. */
export async function withPictureApp(
  servers: number,
  use: (pictured: PictureApp) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'mcp-control-panel-screenshots-'));
  if (servers > 0)
    await writeMonth({ home, now: Date.now(), servers, entryOf: ({ name }) => pictureEntry(name, home) });
  // Servers run in the person's home folder, and their paths are relative so that no picture shows this checkout's.
  for (const folder of ['test', 'node_modules']) symlinkSync(join(checkout, folder), join(home, folder));
  const app = await launch(home);
  try {
    await use({ app, page: await app.firstWindow() });
  } finally {
    const exited = new Promise((settle) => app.process().once('exit', settle));
    await app.evaluate(({ app: electron }) => electron.quit()).catch(() => undefined);
    await exited;
    rmSync(home, { recursive: true, force: true });
  }
}

async function launch(home: string): Promise<ElectronApplication> {
  const { executablePath, args } = JSON.parse(process.env['MCP_CONTROL_PANEL_TEST_ELECTRON'] ?? '{}') as {
    executablePath: string;
    args: string[];
  };
  const own = { MCP_CONTROL_PANEL_HOME: home, MCP_CONTROL_PANEL_TEST: '1', HOME: home };
  const env = { ...process.env, ...own } as Record<string, string>;
  return _electron.launch({ executablePath, args, env, cwd: checkout, chromiumSandbox: true });
}
