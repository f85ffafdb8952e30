import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import type { PanelEvent, Snapshot } from '../../../shared/domain.ts';
import { appEnvironment } from '../../e2e/support/app-environment.ts';
import { electronCommand, openDisplay } from '../../e2e/support/electron-command.ts';
import { isAlive, killAll, processesOfTest, TEST_RUN_NAME } from '../../e2e/support/processes.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { fixtureServer, fixtureWrapper } from '../../fixtures/fixture-server.ts';
import type { Figure } from './figures.ts';

const SETTLE_MS = 5000;
const WATCHED_MS = 20_000;
const START_LIMIT_MS = 60_000;
const CLOCK_TICKS_PER_S = 100;
const HOG_LIMIT_MIB = 100;
const SUSTAINED_SAMPLES = 3;

const stubborn = ['--ignore-eof', '--ignore-sigterm'];
const idleServers: Readonly<Record<string, object>> = {
  deaf: fixtureServer(...stubborn),
  detached: fixtureServer(...stubborn, '--detached-grandchild', '--grandchild-ignores-sigterm'),
  wrapped: fixtureWrapper('--shell', ...stubborn),
  ...Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`idle-${index}`, fixtureServer()])),
};
/** Server over its limit from the start on, by the memory of a grandchild. */
const hog = {
  ...fixtureServer('--grandchild-memory-mib=150'),
  panel: {
    autoStart: false,
    limits: { maxMemoryMiB: HOG_LIMIT_MIB, sustainedSamples: SUSTAINED_SAMPLES, onBreach: 'stop' },
  },
};

interface Panel {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly mainPid: number;
  readonly runId: string;
}

/** The real app with ten idle servers, its window hidden, until it is killed. */
export async function measurePanel(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'supervision-panel-'));
  const runId = randomUUID();
  const display = await openDisplay();
  try {
    const panel = await launch(folder, runId, display.env);
    await waitUntil('all servers to run', () => areRunning(panel), START_LIMIT_MS);
    await hide(panel);
    return [...(await measureIdle(panel)), await measureHog(panel), await measureKill(panel)];
  } finally {
    killAll(processesOfTest(runId));
    await waitUntil('everything to end', () => processesOfTest(runId).length === 0);
    await display.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function launch(
  folder: string,
  runId: string,
  displayEnv: Readonly<Record<string, string>>,
): Promise<Panel> {
  const { executablePath, args } = await electronCommand();
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { ...idleServers, hog } }));
  const app = await _electron.launch({
    executablePath,
    args: [...args],
    env: appEnvironment(home, displayEnv, { [TEST_RUN_NAME]: runId }),
    chromiumSandbox: true,
  });
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  return { app, page, mainPid: app.process().pid!, runId };
}

const snapshot = ({ page }: Panel) =>
  page.evaluate(() =>
    (
      globalThis as unknown as { controlPanel: { getSnapshot(): Promise<unknown> } }
    ).controlPanel.getSnapshot(),
  ) as Promise<Snapshot>;

const areRunning = async (panel: Panel) =>
  (await snapshot(panel)).servers.filter(({ state }) => state.kind === 'running').length ===
  Object.keys(idleServers).length;

async function hide({ app }: Panel): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await delay(SETTLE_MS);
}

/** CPU of the main process alone, and what it sends to the page. */
async function measureIdle({ app, mainPid }: Panel): Promise<readonly Figure[]> {
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]!.webContents;
    const send = contents.send.bind(contents);
    const counter = globalThis as { sentToPage?: number };
    counter.sentToPage = 0;
    contents.send = (channel: string, ...args: unknown[]) => {
      counter.sentToPage = (counter.sentToPage ?? 0) + 1;
      send(channel, ...args);
    };
  });
  const [beforeMs, atMs] = [cpuMs(mainPid), performance.now()];
  await delay(WATCHED_MS);
  const cpuPercent = ((cpuMs(mainPid) - beforeMs) / (performance.now() - atMs)) * 100;
  const sent = await app.evaluate(() => (globalThis as { sentToPage?: number }).sentToPage ?? Number.NaN);
  return [
    {
      what: 'window hidden, 10 idle servers, CPU of the main process',
      unit: '% of a core',
      budget: 1,
      measured: cpuPercent,
    },
    { what: 'window hidden, pushes to the page', unit: 'count', budget: 0, measured: sent },
  ];
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [userTicks = 0, systemTicks = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((userTicks + systemTicks) / CLOCK_TICKS_PER_S) * 1000;
}

/**
 * Time from the start of a server whose grandchild is over the limit to the death of that grandchild, window
 * hidden.
 */
async function measureHog(panel: Panel): Promise<Figure> {
  await panel.page.evaluate(() =>
    (
      globalThis as unknown as { controlPanel: { startServer(name: string): Promise<void> } }
    ).controlPanel.startServer('hog'),
  );
  const child = processesOfTest(panel.runId).find(({ command }) => command.includes('memory-child'));
  if (child === undefined) throw new Error('the grandchild was not found');
  await waitUntil('the grandchild to be ended', () => !isAlive(child.pid), START_LIMIT_MS);
  const endedAt = Date.now();
  const started = await waitUntil('the event', async () =>
    (await eventsOf(panel, 'hog')).find(({ kind }) => kind === 'started'),
  );
  await waitUntil('the breach', async () =>
    (await eventsOf(panel, 'hog')).some(({ kind }) => kind === 'limit-breached'),
  );
  return {
    what: 'memory of a grandchild over the limit → ended, window hidden',
    unit: 'ms',
    budget: SUSTAINED_SAMPLES * 1000 + 2000,
    measured: endedAt - started.at,
  };
}

const eventsOf = async (panel: Panel, name: string): Promise<PanelEvent[]> =>
  (await snapshot(panel)).events.filter(({ server }) => server === name);

async function measureKill({ mainPid, runId }: Panel): Promise<Figure> {
  const servers = () => processesOfTest(runId).filter(({ isServer }) => isServer);
  if (servers().length < Object.keys(idleServers).length) throw new Error('not all servers are there');
  const killedMs = performance.now();
  process.kill(mainPid, 'SIGKILL');
  await waitUntil('the servers to be gone', () => servers().length === 0, START_LIMIT_MS);
  return {
    what: 'panel killed with -9 → its servers gone, stubborn and detached ones too',
    unit: 'ms',
    budget: 10_000,
    measured: performance.now() - killedMs,
  };
}
