import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pictureServers } from './picture-servers.ts';
import { withPictureApp, type PictureApp } from './picture-app.ts';
import { leaveView, pictureViews } from './views.ts';

/**
 * Takes every view, tab and dialog with no, 1, 7 and 40 servers, in both themes and two window sizes, into the folder
 * that is named, `dist/screenshots` otherwise: `<servers>-<width>-<theme>-<view>.png`. For looking at, all of them.
 */

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, '../../dist/screenshots'));
const COUNTS = (process.env['SCREENSHOT_COUNTS'] ?? '0,1,7,40').split(',').map(Number);
const WATCH_MS = Number(process.env['SCREENSHOT_WATCH_MS'] ?? 60_000);
const SIZES = [
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
] as const;
/** A second of telemetry and every transition have passed. */
const SETTLING_MS = 900;

async function takeAll({ app, page }: PictureApp, count: number): Promise<void> {
  // Without a server there is no page of one, and no event.
  const views = pictureViews.filter(({ name }) => count > 0 || !/^(server-|edit|event)/.test(name));
  for (const { width, height } of SIZES) {
    await app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width, height },
    );
    await page.waitForFunction(`innerWidth === ${width} && innerHeight === ${height}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const view of views) {
        await view.open(page);
        await pause(SETTLING_MS);
        await page.screenshot({ path: join(folder, `${count}-${width}-${colorScheme}-${view.name}.png`) });
        await leaveView(page);
      }
    }
  }
}

mkdirSync(folder, { recursive: true });
for (const count of COUNTS) {
  await withPictureApp(
    (home) => pictureServers(count, home),
    async (pictured) => {
      if (count > 0) await pause(WATCH_MS);
      await takeAll(pictured, count);
    },
  );
  process.stdout.write(`${count} servers: taken\n`);
}
