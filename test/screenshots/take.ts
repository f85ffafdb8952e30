import { join, resolve } from 'node:path';
import { largeWindow, smallWindow, takeViews } from './take-views.ts';

/**
 * Takes the pictures of README.md and docs/views.md: every view with 25 servers and a month behind them, the overview
 * also with none, one and forty. Takes some four minutes.
 */

const images = resolve(import.meta.dirname, '../../docs/images');
const WATCH_MS = Number(process.env['SCREENSHOT_WATCH_MS'] ?? 100_000);

await takeViews({
  servers: 25,
  watchMs: WATCH_MS,
  sizes: [smallWindow],
  pathOf: (view, theme) => join(images, 'views', `${view}-${theme}.png`),
});
for (const [servers, size] of [
  [0, smallWindow],
  [1, smallWindow],
  [40, largeWindow],
] as const) {
  await takeViews({
    servers,
    watchMs: servers === 0 ? 0 : WATCH_MS / 2,
    sizes: [size],
    pathOf: (view, theme) =>
      view === 'overview' ? join(images, 'views', `overview-${servers}-${theme}.png`) : undefined,
  });
}
