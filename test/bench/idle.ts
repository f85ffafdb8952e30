/**
 * The panel left alone: 40 servers, of which 20 fail in several ways, in the real app with a tray. `--minutes=N` (or
 * `--minutes N`, default 10): the window is shown for the first third and hidden from then on. Prints a table and one line of
 * JSON last; exit code 1 when a budget is missed. Runs only when it is named: `npm run bench -- idle --minutes 60`.
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { defaultStartConcurrency } from '../../electron/core/supervisor/start/start-gate.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { withApp, type BenchApp } from './harness/app.ts';
import { cpuDuring } from './harness/cpu.ts';
import { figure, numberFlag, report, slopePerMinute, type Figure } from './harness/figures.ts';
import { failingStarts, idleServers, livingCount } from './idle/servers.ts';

const MINUTE_MS = 60_000;
const START_LIMIT_MS = 5 * MINUTE_MS;
const SETTLE_MS = 3000;
/** Time between looks at the processes, because one at all of the machine takes its time. */
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
function measureIdle(minutes: number): Promise<readonly Figure[]> {
  const servers = idleServers(minutes * MINUTE_MS);
  const measure = async (panel: BenchApp) => {
    await countMenus(panel);
    let stateLines = 0;
    panel.app.process().stdout!.on('data', (chunk: Buffer) => {
      stateLines += chunk.toString().match(/^\d{4}-\S+Z \S+ [a-z]+/gm)?.length ?? 0;
    });
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
      figure('menus of the tray', 'count', menus.shown, stateLines),
      figure('submenus made', 'count', menus.inner, Object.keys(servers).length),
    ];
  };
  return withApp(servers, measure, { hasTray: true });
}

/**
 * Hides the window as the system would, because the driver makes its pages believe for ever that they are
 * seen.
 */
async function hide({ app, page }: BenchApp): Promise<void> {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  await delay(SETTLE_MS);
}

/** The most starts under way at once, in every look until all servers have run or failed for good. */
async function watchStart(panel: BenchApp): Promise<number> {
  let most = 0;
  await waitUntil(
    'all servers run or failed',
    async () => {
      const { servers } = await panel.snapshot();
      const starting = servers.filter(({ state, pid }) => state.kind === 'starting' && pid !== undefined);
      most = Math.max(most, starting.length);
      const running = servers.filter(
        ({ name, state }) => name.startsWith('live') && state.kind === 'running',
      );
      const failed = servers.filter(({ state }) => state.kind === 'failed');
      return running.length === livingCount && running.length + failed.length === servers.length;
    },
    START_LIMIT_MS,
  );
  return most;
}

async function watch({ runId, mainPid, ...panel }: BenchApp, durationMs: number) {
  const heaps: Heap[] = [];
  // The most failing servers that were alive at once.
  let failing = 0;
  const cpu = await cpuDuring(mainPid, async () => {
    const beganMs = performance.now();
    let heapDueMs = beganMs;
    while (performance.now() < beganMs + durationMs) {
      failing = Math.max(failing, failingStarts(runId));
      if (performance.now() >= heapDueMs) {
        heaps.push(await readHeap(panel));
        heapDueMs += HEAP_EVERY_MS;
      }
      await delay(LOOK_MS);
    }
  });
  return { cpu, heaps, failing };
}

type Watched = Awaited<ReturnType<typeof watch>>;

async function readHeap({ app, page }: Pick<BenchApp, 'app' | 'page'>): Promise<Heap> {
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
const countMenus = ({ app }: BenchApp) =>
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

const readMenus = ({ app }: BenchApp) =>
  app.evaluate(() => (globalThis as unknown as { countedMenus: Menus }).countedMenus);

const gateFigure = (what: string, measured: number) =>
  figure(what, 'count', measured, defaultStartConcurrency(availableParallelism()));

const cpuFigures = (when: string, { cpu }: Watched, budget?: number): Figure[] => [
  figure(`${when}, CPU of the main process`, '% of a core', cpu.main),
  figure(`${when}, CPU of the page`, '% of a core', cpu.page),
  figure(`${when}, CPU of all processes of the app`, '% of a core', cpu.app, budget),
  figure(`${when}, CPU of servers that ended`, '% of a core', cpu.endedServers),
];

function heapFigures(heaps: readonly Heap[]): Figure[] {
  const perHour = (part: 'mainMib' | 'pageMib') =>
    60 * slopePerMinute(heaps.map((heap) => ({ at: heap.atMs, value: heap[part] })));
  const [first, last] = [heaps[0]!, heaps.at(-1)!];
  const main = 'heap of the main process after collection';
  return [
    figure(`${main}, first`, 'MiB', first.mainMib),
    figure(`${main}, last`, 'MiB', last.mainMib),
    figure(`${main}, slope`, 'MiB/h', perHour('mainMib'), HEAP_BUDGET_MIB_PER_H),
    figure('heap of the page after collection, last', 'MiB', last.pageMib),
    figure('heap of the page after collection, slope', 'MiB/h', perHour('pageMib')),
  ];
}

const note = (line: string) => console.error(`${new Date().toISOString()} ${line}`);

report('idle', await measureIdle(numberFlag('minutes', 10)));
