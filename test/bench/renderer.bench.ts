/**
 * What the real window costs, by Chromium's own counters: `--only=PART` runs one part, `--minutes N` lets each
 * window run so long before it is measured (1 unless given). Each part prints its figures; one line of JSON
 * comes last.
 */
import { openDisplay } from '../e2e/support/electron-command.ts';
import { measureActivity } from './renderer/activity.ts';
import { measureLogs } from './renderer/logs.ts';
import { openWindow, type BenchOptions, type Open } from './renderer/open-window.ts';
import { measurePage } from './renderer/page.ts';
import { measureServers } from './renderer/servers.ts';
import { report, type Figure } from './supervision/figures.ts';

const parts: Readonly<Record<string, (open: Open, options: BenchOptions) => Promise<readonly Figure[]>>> = {
  page: measurePage,
  servers: measureServers,
  activity: measureActivity,
  logs: measureLogs,
};

const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length);
if (only !== undefined && parts[only] === undefined)
  throw new Error(`--only=${only}: expected one of ${Object.keys(parts).join(', ')}`);

const display = await openDisplay();
try {
  const figures: Figure[] = [];
  const options = { minutes: minutesOf(process.argv) };
  for (const [name, measure] of Object.entries(parts)) {
    if (only !== undefined && only !== name) continue;
    const open: Open = (servers, { journal } = {}) =>
      openWindow(servers, journal === undefined ? {} : { journal }, display.env);
    figures.push(...(await measure(open, options)));
  }
  report('renderer', figures, []);
} finally {
  await display.end();
}

function minutesOf(args: readonly string[]): number {
  const place = args.findIndex((arg) => arg === '--minutes' || arg.startsWith('--minutes='));
  if (place === -1) return 1;
  const text = args[place]!.split('=')[1] ?? args[place + 1];
  const minutes = Number(text);
  if (!(minutes >= 0)) throw new Error(`--minutes: expected a number of minutes, found ${text}`);
  return minutes;
}
