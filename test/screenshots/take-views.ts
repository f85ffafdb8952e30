import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { LaunchedApp } from '../bench/harness/app.ts';
import { withPictureApp } from './picture-app.ts';
import { leaveView, pictureViews } from './views.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export interface Size {
  readonly width: number;
  readonly height: number;
}
/** The least that the window can be. */
export const leastWindow: Size = { width: 900, height: 600 };
export const smallWindow: Size = { width: 1280, height: 800 };
export const largeWindow: Size = { width: 1920, height: 1080 };

export interface ViewSet {
  readonly servers: number;
  /** Time that the servers run before the first picture, for the curves. */
  readonly watchMs: number;
  readonly sizes: readonly Size[];
  /** Path of a picture; undefined where none is wanted. */
  readonly pathOf: (view: string, theme: Theme, size: Size) => string | undefined;
}

/** With as many there is one of each that the views show. */
const FEWEST_SERVERS = 11;
/** Time in which a second of telemetry and every transition have passed. */
const SETTLING_MS = 900;

/** Takes one set of views from one run of the built app. */
export async function takeViews(set: ViewSet): Promise<void> {
  await withPictureApp(set.servers, async (pictured) => {
    await pause(set.watchMs);
    for (const size of set.sizes) {
      await resize(pictured, size);
      for (const theme of themes) await takeTheme(pictured, set, theme, size);
    }
  });
}

async function takeTheme({ page }: LaunchedApp, set: ViewSet, theme: Theme, size: Size): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  for (const view of pictureViews) {
    const path = set.pathOf(view.name, theme, size);
    if (path === undefined || (view.needsServer && set.servers < FEWEST_SERVERS)) continue;
    await view.open(page);
    // No pointer is over the view, and no heading has a ring that only a keyboard would have brought there. A page
    // that is loaded at its first use takes the focus late.
    await page.mouse.move(0, 0);
    await pause(SETTLING_MS);
    await page.evaluate(`document.activeElement?.matches('h1') && document.activeElement.blur()`);
    mkdirSync(dirname(path), { recursive: true });
    await page.screenshot({ path });
    await leaveView(page);
  }
}

async function resize({ app, page }: LaunchedApp, { width, height }: Size): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  );
  await page.waitForFunction(`innerWidth === ${width} && innerHeight === ${height}`);
}
