/**
 * Takes pictures of the window. `take.ts`: those of README.md and docs/views.md, every view with 25 servers and a month behind
 * them, the overview also with none, one and forty; some four minutes. `take.ts all [FOLDER]`: every view, tab and dialog with
 * 11 and 100 servers, and with none and one those that need no server, in both themes and three window sizes, into the folder,
 * `dist/screenshots` otherwise: `<servers>-<width>-<theme>-<view>.png`. People look at all of them.
 */
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { desktopBus, launchApp, quitApp, type LaunchedApp } from '../bench/harness/app.ts';
import { inFolder } from '../support/homes.ts';
import { resize } from '../e2e/support/driving.ts';
import { writeMonth } from '../fixtures/month/write-month.ts';
import { pictureEntry } from './picture-servers.ts';
import { leaveView, plainViews, viewsOfServers } from './views.ts';

const checkout = resolve(import.meta.dirname, '../..');
const images = join(checkout, 'docs/images/views');
/** Time that the servers run before the first picture, for the curves. */
const watchMs = (byDefault: number) => Number(process.env['SCREENSHOT_WATCH_MS'] ?? byDefault);

const themes = ['light', 'dark'] as const;
type Theme = (typeof themes)[number];
interface Size {
  readonly width: number;
  readonly height: number;
}
/** The least that the window can be. */
const leastWindow: Size = { width: 900, height: 600 };
const smallWindow: Size = { width: 1280, height: 800 };
const largeWindow: Size = { width: 1920, height: 1080 };

interface ViewSet {
  readonly servers: number;
  readonly watchMs: number;
  readonly sizes: readonly Size[];
  /** Path of a picture; undefined where none is wanted. */
  readonly pathOf: (view: string, theme: Theme, size: Size) => string | undefined;
}

/** Some pictures show the home, so its name says what it is. */
const HOME_PREFIX = 'mcp-control-panel-screenshots-';
/** With as many there is one of each that the views show. */
const FEWEST_SERVERS = 11;
/** Time in which a second of telemetry and every transition have passed. */
const SETTLING_MS = 900;

const [, , which, folder = join(checkout, 'dist/screenshots')] = process.argv;
for (const set of which === 'all' ? allSets(resolve(folder)) : documentedSets()) await takeSet(set);

function documentedSets(): readonly ViewSet[] {
  const views: ViewSet = {
    servers: 25,
    watchMs: watchMs(100_000),
    sizes: [smallWindow],
    pathOf: (view, theme) => join(images, `${view}-${theme}.png`),
  };
  const overview = (servers: number, size: Size): ViewSet => ({
    servers,
    watchMs: servers === 0 ? 0 : watchMs(100_000) / 2,
    sizes: [size],
    pathOf: (view, theme) =>
      view === 'overview' ? join(images, `overview-${servers}-${theme}.png`) : undefined,
  });
  return [views, overview(0, smallWindow), overview(1, smallWindow), overview(40, largeWindow)];
}

function allSets(into: string): readonly ViewSet[] {
  const counts = (process.env['SCREENSHOT_COUNTS'] ?? '0,1,11,100').split(',').map(Number);
  return counts.map((servers) => ({
    servers,
    watchMs: servers === 0 ? 0 : watchMs(60_000),
    sizes: [leastWindow, smallWindow, largeWindow],
    pathOf: (view, theme, { width }) => join(into, `${servers}-${width}-${theme}-${view}.png`),
  }));
}

/** Takes one set of views from one run of the built app, on so many servers with a month behind them. */
function takeSet(set: ViewSet): Promise<void> {
  const { servers } = set;
  return inFolder(async (home) => {
    if (servers > 0)
      await writeMonth({ home, now: Date.now(), servers, entryOf: ({ name }) => pictureEntry(name, home) });
    // Servers run in the person's home folder, and their paths are relative so that no picture shows this checkout's.
    for (const name of ['test', 'node_modules']) symlinkSync(join(checkout, name), join(home, name));
    const launched = await launchApp(home, { HOME: home, ...desktopBus });
    try {
      await pause(set.watchMs);
      for (const size of set.sizes) {
        await resize(launched, size.width, size.height);
        await launched.page.waitForFunction(`innerWidth === ${size.width} && innerHeight === ${size.height}`);
        for (const theme of themes) await takeTheme(launched, set, theme, size);
      }
    } finally {
      await quitApp(launched.app);
    }
    process.stdout.write(`${servers} servers: taken\n`);
  }, HOME_PREFIX);
}

async function takeTheme({ page }: LaunchedApp, set: ViewSet, theme: Theme, size: Size): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  const views = { ...plainViews, ...(set.servers >= FEWEST_SERVERS && viewsOfServers) };
  for (const [name, open] of Object.entries(views)) {
    const path = set.pathOf(name, theme, size);
    if (path === undefined) continue;
    await open(page);
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
