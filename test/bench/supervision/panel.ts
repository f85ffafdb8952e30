import { setTimeout as delay } from 'node:timers/promises';
import type { PanelEvent } from '../../../shared/domain.ts';
import { processesOfTest } from '../../e2e/support/processes.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { fixtureServer, fixtureWrapper } from '../../fixtures/fixture-server.ts';
import { sentDuring, untilRunning, withApp, type BenchApp } from '../harness/app.ts';
import { cpuDuring } from '../harness/cpu.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { numbered, type Servers } from '../../support/homes.ts';
import { isAlive } from '../../support/proc.ts';

const SETTLE_MS = 5000;
const WATCHED_MS = 20_000;
const START_LIMIT_MS = 60_000;
const HOG_LIMIT_MIB = 100;
const SUSTAINED_SAMPLES = 3;

const stubborn = ['--ignore-eof', '--ignore-sigterm'];
const idleServers: Servers = {
  deaf: fixtureServer(...stubborn),
  detached: fixtureServer(...stubborn, '--detached-grandchild', '--grandchild-ignores-sigterm'),
  wrapped: fixtureWrapper('--shell', ...stubborn),
  ...numbered(7, 'idle', () => fixtureServer()),
};
/** Server over its limit from the start on, by the memory of a grandchild. */
const hog = {
  ...fixtureServer('--grandchild-memory-mib=150'),
  panel: {
    autoStart: false,
    limits: { maxMemoryMiB: HOG_LIMIT_MIB, sustainedSamples: SUSTAINED_SAMPLES, onBreach: 'stop' },
  },
};

/** The real app with ten idle servers, its window hidden, until it is killed. */
export const measurePanel = (): Promise<readonly Figure[]> =>
  withApp({ ...idleServers, hog }, async (panel) => {
    await untilRunning(panel, Object.keys(idleServers).length, START_LIMIT_MS);
    await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
    await delay(SETTLE_MS);
    return [...(await measureIdle(panel)), await measureHog(panel), await measureKill(panel)];
  });

/** CPU of the main process alone, and what it sends to the page. */
async function measureIdle(panel: BenchApp): Promise<readonly Figure[]> {
  let mainPercent = Number.NaN;
  const { messages } = await sentDuring(panel, async () => {
    mainPercent = (await cpuDuring(panel.mainPid, () => delay(WATCHED_MS))).main;
  });
  return [
    figure('window hidden, 10 idle servers, CPU of the main process', '% of a core', mainPercent, 1),
    figure('window hidden, pushes to the page', 'count', messages, 0),
  ];
}

/**
 * Time from the start of a server whose grandchild is over the limit to the death of that grandchild, window
 * hidden.
 */
async function measureHog(panel: BenchApp): Promise<Figure> {
  await panel.page.evaluate("controlPanel.startServer('hog')");
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
  const what = 'memory of a grandchild over the limit → ended, window hidden';
  return figure(what, 'ms', endedAt - started.at, SUSTAINED_SAMPLES * 1000 + 2000);
}

const eventsOf = async (panel: BenchApp, name: string): Promise<PanelEvent[]> =>
  (await panel.snapshot()).events.filter(({ server }) => server === name);

async function measureKill({ mainPid, runId }: BenchApp): Promise<Figure> {
  const servers = () => processesOfTest(runId).filter(({ isServer }) => isServer);
  if (servers().length < Object.keys(idleServers).length) throw new Error('not all servers are there');
  const killedMs = performance.now();
  process.kill(mainPid, 'SIGKILL');
  await waitUntil('the servers to be gone', () => servers().length === 0, START_LIMIT_MS);
  const what = 'panel killed with -9 → its servers gone, stubborn and detached ones too';
  return figure(what, 'ms', performance.now() - killedMs, 10_000);
}
