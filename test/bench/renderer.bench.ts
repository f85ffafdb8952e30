/**
 * What the real window costs, by Chromium's own counters: `--only=PART` runs one part. Each part prints its
 * figures; one line of JSON comes last.
 */
import { openDisplay } from '../e2e/support/electron-command.ts';
import { measureLogs } from './renderer/logs.ts';
import { openWindow, type Open } from './renderer/open-window.ts';
import { report, type Figure } from './supervision/figures.ts';

const parts: Readonly<Record<string, (open: Open) => Promise<readonly Figure[]>>> = { logs: measureLogs };

const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
if (only !== undefined && parts[only] === undefined)
  throw new Error(`--only=${only}: expected one of ${Object.keys(parts).join(', ')}`);

const display = await openDisplay();
try {
  const figures: Figure[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    figures.push(...(await measure((servers) => openWindow(servers, display.env))));
  }
  report('renderer', figures, []);
} finally {
  await display.end();
}
