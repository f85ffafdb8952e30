import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withPictureApp } from './picture-app.ts';
import { pictureServers, SHOWN_SERVER } from './picture-servers.ts';

/** Takes the pictures of the README from the built app with real servers. Takes about two minutes, for the curves. */

const images = resolve(import.meta.dirname, '../../docs/images');
const WATCH_MS = Number(process.env['SCREENSHOT_WATCH_MS'] ?? 100_000);

async function takeAll(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await pause(1500);
    await page.screenshot({ path: join(images, `overview-${colorScheme}.png`) });
    await page.getByRole('link', { name: `Open ${SHOWN_SERVER}` }).click();
    await page.getByLabel(`Memory of ${SHOWN_SERVER}`).waitFor();
    await pause(2500);
    await page.screenshot({ path: join(images, `server-${colorScheme}.png`) });
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'everything', exact: true }).waitFor();
  }
}

mkdirSync(images, { recursive: true });
await withPictureApp(
  (home) => pictureServers(7, home),
  async ({ page }) => {
    await pause(WATCH_MS);
    await takeAll(page);
  },
);
