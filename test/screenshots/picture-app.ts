import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { desktopBus, launchApp, quitApp, type LaunchedApp } from '../bench/harness/app.ts';
import { writeMonth } from '../fixtures/month/write-month.ts';
import { pictureEntry } from './picture-servers.ts';

const checkout = resolve(import.meta.dirname, '../..');

/** Runs the built app for as long as `use` takes, on so many servers with a month behind them. */
export async function withPictureApp(
  servers: number,
  use: (pictured: LaunchedApp) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'mcp-control-panel-screenshots-'));
  if (servers > 0)
    await writeMonth({ home, now: Date.now(), servers, entryOf: ({ name }) => pictureEntry(name, home) });
  // Servers run in the person's home folder, and their paths are relative so that no picture shows this checkout's.
  for (const folder of ['test', 'node_modules']) symlinkSync(join(checkout, folder), join(home, folder));
  const launched = await launchApp(home, { HOME: home, ...desktopBus });
  try {
    await use(launched);
  } finally {
    await quitApp(launched.app);
    rmSync(home, { recursive: true, force: true });
  }
}
