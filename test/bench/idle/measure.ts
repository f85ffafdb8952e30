import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultStartConcurrency } from '../../../electron/core/supervisor/start/start-gate.ts';
import type { Figure } from '../supervision/figures.ts';
import { withPanel, type IdlePanel } from './panel.ts';
import { failingStarts, usedCpu, type UsedCpu } from './processes.ts';
import { idleServers, livingCount } from './servers.ts';

const MINUTE_MS = 60_000;
const START_LIMIT_MS = 5 * MINUTE_MS;
const SETTLE_MS = 3000;
const POLL_MS = 100;
/** Time between samples of the processes, because one sample of the whole machine takes long. */
const LOOK_MS = 500;
/**
 * Time between readings of the heap, because the collection before each takes as much CPU as the panel does
 * in seconds.
 */
const HEAP_EVERY_MS = 120_000;
/** Budget of the heap: less than a tenth of what a menu for each change would leave behind. */
const HEAP_BUDGET_MIB_PER_H = 3;
const CPU_BUDGET_PERCENT = 2;

interface Heap {
  readonly atMs: number;
  readonly mainMib: number;
  readonly pageMib: number;
}

interface Menus {
  /** Menus of the tray, submenus not counted. */
  readonly shown: number;
  /** Submenus of servers that were made. */
  readonly inner: number;
}

/** Measures the cost of 40 idle servers, of which half fail, beside its budgets. */
export function measureIdle(minutes: number): Promise<readonly Figure[]> {
  return withPanel(idleServers(minutes * MINUTE_MS), async (panel) => {
    await countMenus(panel);
    const startsAtOnce = await watchStart(panel);
    note(`all have started or failed; watching for ${minutes} min`);
    const shown = await watch(panel, (minutes / 3) * MINUTE_MS);
    await hide(panel);
    const hidden = await watch(panel, ((minutes * 2) / 3) * MINUTE_MS);
    const menus = await readMenus(panel);
    return [
      gateFigure('starts at once while all servers start', startsAtOnce),
      gateFigure('starts at once of servers that fail, later', Math.max(shown.failing, hidden.failing)),
      ...cpuFigures('window shown', shown),
      ...cpuFigures('window hidden', hidden, CPU_BUDGET_PERCENT),
      ...heapFigures([...shown.heaps, ...hidden.heaps]),
      { what: 'menus of the tray', unit: 'count', budget: panel.stateLines(), measured: menus.shown },
      {
        what: 'submenus made',
        unit: 'count',
        budget: Object.keys(idleServers(0)).length,
        measured: menus.inner,
      },
    ];
  });
}

/**
 * Hides the window as the system would, because the driver makes its pages believe for ever that they are
 * seen.
 */
async function hide({ app, page }: IdlePanel): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  await delay(SETTLE_MS);
}

/** Largest number of starts in progress at once, over all samples until every server has run or failed for good. */
async function watchStart(panel: IdlePanel): Promise<number> {
  const deadlineMs = performance.now() + START_LIMIT_MS;
  let most = 0;
  for (;;) {
    const { servers } = await panel.snapshot();
    const starting = servers.filter(({ state, pid }) => state.kind === 'starting' && pid !== undefined);
    most = Math.max(most, starting.length);
    const running = servers.filter(({ name, state }) => name.startsWith('live') && state.kind === 'running');
    const failed = servers.filter(({ state }) => state.kind === 'failed');
    if (running.length === livingCount && running.length + failed.length === servers.length) return most;
    if (performance.now() > deadlineMs)
      throw new Error(`not within ${START_LIMIT_MS} ms: ${running.length} running, ${failed.length} failed`);
    await delay(POLL_MS);
  }
}

interface Watched {
  readonly before: UsedCpu;
  readonly after: UsedCpu;
  readonly heaps: readonly Heap[];
  /** Largest number of failing servers alive at once. */
  readonly failing: number;
}

async function watch(panel: IdlePanel, durationMs: number): Promise<Watched> {
  const { runId, mainPid } = panel;
  const before = usedCpu(mainPid);
  const heaps: Heap[] = [];
  let failing = 0;
  let heapDueMs = before.atMs;
  while (performance.now() < before.atMs + durationMs) {
    failing = Math.max(failing, failingStarts(runId));
    if (performance.now() >= heapDueMs) {
      heaps.push(await readHeap(panel));
      heapDueMs += HEAP_EVERY_MS;
    }
    await delay(LOOK_MS);
  }
  return { before, after: usedCpu(mainPid), heaps, failing };
}

async function readHeap({ app, page }: IdlePanel): Promise<Heap> {
  const mainBytes = await app.evaluate(() => {
    (globalThis as unknown as { gc(): void }).gc();
    return process.memoryUsage().heapUsed;
  });
  const pageBytes = await page.evaluate(() => {
    (globalThis as unknown as { gc(): void }).gc();
    return (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
  });
  const heap = { atMs: performance.now(), mainMib: mainBytes / 2 ** 20, pageMib: pageBytes / 2 ** 20 };
  note(`heap after collection: main ${heap.mainMib.toFixed(2)} MiB, page ${heap.pageMib.toFixed(2)} MiB`);
  return heap;
}

/** Counts the menus built from now on; the tray may have its first by then. */
const countMenus = ({ app }: IdlePanel) =>
  app.evaluate(({ Menu, Tray }) => {
    const counter = { shown: 0, inner: 0 };
    Object.assign(globalThis, { countedMenus: counter });
    const build = Menu.buildFromTemplate.bind(Menu);
    Menu.buildFromTemplate = (template) => {
      if (template.some(({ label }) => label === 'Restart')) counter.inner += 1;
      return build(template);
    };
    const tray = Tray.prototype as unknown as Record<string, (this: unknown, menu: unknown) => void>;
    const show = tray['setContextMenu'];
    tray['setContextMenu'] = function (menu) {
      counter.shown += 1;
      show?.call(this, menu);
    };
  });

const readMenus = ({ app }: IdlePanel) =>
  app.evaluate(() => (globalThis as unknown as { countedMenus: Menus }).countedMenus);

const gateFigure = (what: string, measured: number): Figure => ({
  what,
  unit: 'count',
  budget: defaultStartConcurrency(availableParallelism()),
  measured,
});

function cpuFigures(when: string, { before, after }: Watched, budget?: number): Figure[] {
  const percentOf = (key: Exclude<keyof UsedCpu, 'atMs'>) =>
    ((after[key] - before[key]) / (after.atMs - before.atMs)) * 100;
  const figure = (what: string, key: Exclude<keyof UsedCpu, 'atMs'>): Figure => ({
    what: `${when}, CPU of ${what}`,
    unit: '% of a core',
    measured: percentOf(key),
  });
  const app = figure('all processes of the app', 'appMs');
  return [
    figure('the main process', 'mainMs'),
    figure('the page', 'pageMs'),
    budget === undefined ? app : { ...app, budget },
    figure('servers that ended', 'endedServersMs'),
  ];
}

function heapFigures(heaps: readonly Heap[]): Figure[] {
  const first = heaps[0]!;
  const last = heaps.at(-1)!;
  const figure = (what: string, measured: number): Figure => ({ what, unit: 'MiB', measured });
  const slope = (valueOf: (heap: Heap) => number) =>
    slopePerHour(heaps.map((heap) => [heap.atMs, valueOf(heap)]));
  return [
    figure('heap of the main process after collection, first', first.mainMib),
    figure('heap of the main process after collection, last', last.mainMib),
    {
      what: 'heap of the main process after collection, slope',
      unit: 'MiB/h',
      budget: HEAP_BUDGET_MIB_PER_H,
      measured: slope(({ mainMib }) => mainMib),
    },
    figure('heap of the page after collection, last', last.pageMib),
    {
      what: 'heap of the page after collection, slope',
      unit: 'MiB/h',
      measured: slope(({ pageMib }) => pageMib),
    },
  ];
}

/** Slope of the best-fitting line. */
function slopePerHour(points: readonly (readonly [atMs: number, value: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanMs = mean(points.map(([atMs]) => atMs));
  const meanValue = mean(points.map(([, value]) => value));
  const covariance = mean(points.map(([atMs, value]) => (atMs - meanMs) * (value - meanValue)));
  const variance = mean(points.map(([atMs]) => (atMs - meanMs) ** 2));
  return (covariance / variance) * 60 * MINUTE_MS;
}

const note = (line: string) => console.error(`${new Date().toISOString()} ${line}`);
