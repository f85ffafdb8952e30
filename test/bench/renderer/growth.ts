import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from '../../e2e/support/processes.ts';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { memoryBytes } from '../../support/proc.ts';
import { untilRunning } from '../harness/app.ts';
import { cpuDuring } from '../harness/cpu.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { numbered } from '../../support/homes.ts';
import { drawGrowth, type Curve } from '../harness/picture.ts';
import { withWindow, type OpenWindow } from './open-window.ts';

/** The second minute is measured: by then what is run often is compiled. */
const SETTLE_MS = 60_000;
const WATCH_MS = 30_000;
const START_LIMIT_MS = 300_000;
const BUDGETS = { mainPercent: 2, pagePercent: 5, serverMib: 0.4 };

type Measured = Record<'app' | 'main' | 'page' | 'mainMib' | 'pageMib', number>;

/** What a window with so many idle servers costs, and what each further one adds to the memory of main process and page. */
export async function measureGrowth(counts: readonly number[]): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const all: (readonly [count: number, Measured])[] = [];
  let before: { readonly count: number; readonly mib: number } | undefined;
  for (const count of counts) {
    const servers = numbered(count, 'server', (index) => tinyServer(`server-${index}`));
    const { cpu, mainMib, pageMib } = await withWindow(servers, (window) => measure(window, count));
    const mib = mainMib + pageMib;
    const [main, page] = count === 100 ? [BUDGETS.mainPercent, BUDGETS.pagePercent] : [];
    const of = (unit: string, measured: number, budget?: number) =>
      figure(`${count} servers`, unit, measured, budget);
    figures.push(
      of('% of a core, main process', cpu.main, main),
      of('% of a core, page', cpu.page, page),
      of('% of a core, the whole app', cpu.app),
      of('MiB of the main process', mainMib),
      of('MiB of the page', pageMib),
    );
    if (before) {
      const each = (mib - before.mib) / (count - before.count);
      figures.push(figure(`each server from ${before.count} to ${count}`, 'MiB', each, BUDGETS.serverMib));
    }
    before = { count, mib };
    all.push([count, { ...cpu, mainMib, pageMib }]);
  }
  const curve = (name: string, key: keyof Measured): Curve => ({
    name,
    points: all.map(([count, one]) => [count, Number(one[key].toFixed(1))]),
  });
  const curves = [curve('main process', 'main'), curve('page', 'page'), curve('whole app', 'app')];
  drawGrowth(1, 'CPU of the app, % of a core', 'servers', curves);
  drawGrowth(2, 'Memory, MiB', 'servers', [curve('main process', 'mainMib'), curve('page', 'pageMib')]);
  return figures;
}

async function measure(window: OpenWindow, count: number) {
  const { app } = window;
  await untilRunning(window, count, START_LIMIT_MS);
  await sleep(SETTLE_MS);
  const mainPid = app.process().pid!;
  const cpu = await cpuDuring(mainPid, () => sleep(WATCH_MS));
  await app.evaluate(() => (globalThis as unknown as { gc(): void }).gc());
  await window.collectGarbage();
  const renderer = descendantsOf(mainPid).find(({ command }) => command.includes('--type=renderer'))!;
  const mibOf = (pid: number) => memoryBytes(pid, 'RssAnon') / 2 ** 20;
  return { cpu, mainMib: mibOf(mainPid), pageMib: mibOf(renderer.pid) };
}
