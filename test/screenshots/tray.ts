import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ElectronApplication } from 'playwright-core';
import type { Snapshot } from '../../shared/domain.ts';
import { desktopBus, launchApp, quitApp } from '../bench/harness/app.ts';
import { inFolder, writeHome } from '../support/homes.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import {
  clickMenu,
  desktopEnvironment,
  joinPictures,
  missingPackages,
  photographPanel,
  startXfcePanel,
  tooltipOf,
  trayItem,
  type Theme,
} from './xfce-desktop.ts';

/**
 * Photographs the real icon on the real panel of a desktop, light and dark, once for each state that it can show, and
 * stops a server through its menu as the desktop would. Linux only; says what is missing elsewhere and takes nothing.
 */

const images = resolve(import.meta.dirname, '../../docs/images');
/** Time for the desktop's panel to draw a new icon. */
const DRAWING_MS = 800;
const INSIDE = '--inside';

interface Scene {
  readonly state: string;
  readonly server: object;
  /** Brings the app into the state, once it runs. */
  readonly provoke?: (app: StartedApp) => Promise<void>;
}

interface StartedApp {
  readonly electron: ElectronApplication;
  /** Starts a call to the server and waits for nothing. */
  call(tool: string, params: Record<string, unknown>): Promise<void>;
  snapshot(): Promise<Snapshot>;
}

const notifyOnly = (stallThresholdMs: number) => ({
  health: { probeIntervalMs: 500, stallThresholdMs, onStall: 'notify' },
});

const signalServer = (signal: NodeJS.Signals) => async (app: StartedApp) => {
  const { pid } = (await app.snapshot()).servers[0] ?? {};
  if (pid === undefined) throw new Error('the server has no process');
  process.kill(pid, signal);
};

const scenes: readonly Scene[] = [
  { state: 'running', server: fixtureServer() },
  { state: 'starting', server: fixtureServer('--never-initialize') },
  {
    state: 'backoff',
    server: {
      ...fixtureServer('--exit-before-initialize'),
      panel: { restart: { initialBackoffMs: 60_000 } },
    },
  },
  { state: 'failed', server: { command: '/no/such/program' } },
  {
    state: 'suspect',
    server: { ...fixtureServer('--block-loop-on-signal'), panel: notifyOnly(6000) },
    provoke: async (app) => {
      await app.call('sleep', { ms: 60_000 });
      await pause(3000); // The server answers a question during the call, because only then its silence counts.
      await signalServer('SIGUSR1')(app);
    },
  },
  {
    state: 'stalled',
    server: { ...fixtureServer(), panel: notifyOnly(1500) },
    provoke: signalServer('SIGSTOP'),
  },
];

async function main(): Promise<void> {
  const missing = process.platform === 'linux' ? await missingPackages() : ['a Linux desktop'];
  if (missing.length > 0) {
    process.stderr.write(`No pictures of the tray were taken, for there is no ${missing.join(', ')} here.\n`);
    return;
  }
  const [, , inside, theme, folder] = process.argv;
  if (inside === INSIDE && folder !== undefined)
    return takeInTheme(theme === 'dark' ? 'dark' : 'light', folder);
  await takeAll();
}

async function takeAll(): Promise<void> {
  mkdirSync(images, { recursive: true });
  await inFolder(async (folder) => {
    for (const theme of ['light', 'dark'] as const) takeOnOwnBus(theme, folder);
    for (const { state } of scenes) {
      const pictures = ['light', 'dark'].map((theme) => join(folder, `${state}-${theme}.png`));
      await joinPictures(pictures, join(images, `tray-${state}.png`));
    }
  });
}

/**
 * Takes the pictures on a session bus of its own, with the settings of one theme, so that nobody else's tray
 * is touched.
 */
function takeOnOwnBus(theme: Theme, folder: string): void {
  const script = process.argv[1] ?? '';
  const args = ['--', process.execPath, script, INSIDE, theme, folder];
  const env = { ...process.env, ...desktopEnvironment(theme, folder) };
  const { status } = spawnSync('dbus-run-session', args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status !== 0) throw new Error(`the pictures of the ${theme} theme failed with exit code ${status}`);
}

async function takeInTheme(theme: Theme, folder: string): Promise<void> {
  const panel = await startXfcePanel();
  try {
    for (const scene of scenes) await take(scene, theme, folder);
  } finally {
    panel.kill();
    await new Promise((settle) => panel.once('exit', settle));
  }
}

async function take(scene: Scene, theme: Theme, folder: string): Promise<void> {
  const app = await launch(scene, join(folder, `home-${scene.state}-${theme}`));
  try {
    await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    if (scene.provoke) {
      await stateBecomes(app, 'running');
      await scene.provoke(app);
    }
    await stateBecomes(app, scene.state);
    const item = await trayItem();
    await pause(DRAWING_MS);
    await photographPanel(join(folder, `${scene.state}-${theme}.png`));
    process.stderr.write(`${theme} ${scene.state}: ${(await tooltipOf(item)).trim()}\n`);
    if (scene.state !== 'running') return;
    await clickMenu(item, '● server: Running', 'Stop');
    await stateBecomes(app, 'stopped');
    await clickMenu(item, '○ server: Stopped', 'Start');
    await stateBecomes(app, 'running');
  } finally {
    await quitApp(app.electron);
  }
}

const stateBecomes = (app: StartedApp, state: string) =>
  waitUntil(
    `the state ${state}`,
    async () => (await app.snapshot()).servers[0]?.state.kind === state,
    40_000,
  );

async function launch({ server }: Scene, home: string): Promise<StartedApp> {
  const { app, page } = await launchApp(writeHome(home, { server }), desktopBus);
  return {
    electron: app,
    call: (tool, params) => {
      const asked = { name: tool, arguments: params };
      const call = { callId: 'photo', name: 'server', method: 'tools/call', params: asked };
      return page.evaluate(`void controlPanel.callServer(${JSON.stringify(call)}).catch(() => 0)`);
    },
    snapshot: () => page.evaluate<Snapshot>('controlPanel.getSnapshot()'),
  };
}

await main();
