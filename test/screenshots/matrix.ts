import { join, resolve } from 'node:path';
import { largeWindow, leastWindow, smallWindow, takeViews } from './take-views.ts';

/**
 * Takes every view, tab and dialog with 11 and 100 servers, and with none and one those that need no server, in both themes
 * and three window sizes, into the named folder, `dist/screenshots` otherwise: `<servers>-<width>-<theme>-<view>.png`. People
 * look at all of them.
 */

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../dist/screenshots'));
const COUNTS = (process.env['SCREENSHOT_COUNTS'] ?? '0,1,11,100').split(',').map(Number);
const WATCH_MS = Number(process.env['SCREENSHOT_WATCH_MS'] ?? 60_000);

for (const servers of COUNTS) {
  await takeViews({
    servers,
    watchMs: servers === 0 ? 0 : WATCH_MS,
    sizes: [leastWindow, smallWindow, largeWindow],
    pathOf: (view, theme, { width }) => join(folder, `${servers}-${width}-${theme}-${view}.png`),
  });
  process.stdout.write(`${servers} servers: taken\n`);
}
