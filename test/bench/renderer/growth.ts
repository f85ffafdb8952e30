import { setTimeout as sleep } from 'node:timers/promises';
import { descendantsOf } from '../../e2e/support/processes.ts';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { memoryBytes } from '../../support/proc.ts';
import { cpuDuring } from '../harness/cpu.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { numbered } from '../harness/homes.ts';
import { withWindow, type OpenWindow } from './open-window.ts';

const COUNTS = [10, 100, 300];
/** The second minute is measured: by then what is run often is compiled. */
const SETTLE_MS = 60_000;
const WATCH_MS = 30_000;
const START_LIMIT_MS = 300_000;
const BUDGETS = { mainPercent: 2, pagePercent: 5, serverMib: 0.4 };

/** What a window with so many idle servers costs, and what each further one adds to the memory of main process and page. */
export async function measureGrowth(most: number): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const memory: { readonly count: number; readonly mib: number }[] = [];
  for (const count of COUNTS.filter((each) => each <= most)) {
    const servers = numbered(count, 'server', (index) => tinyServer(`server-${index}`));
    const { cpu, mib } = await withWindow(servers, (window) => measure(window, count));
    const what = `${count} servers`;
    const [main, page] = count === 100 ? [BUDGETS.mainPercent, BUDGETS.pagePercent] : [];
    figures.push(
      figure(what, '% of a core, main process', cpu.main, main),
      figure(what, '% of a core, page', cpu.page, page),
      figure(what, '% of a core, the whole app', cpu.app),
      figure(what, 'MiB of main process and page', mib),
    );
    const before = memory.at(-1);
    if (before) {
      const each = (mib - before.mib) / (count - before.count);
      figures.push(figure(`each server from ${before.count} to ${count}`, 'MiB', each, BUDGETS.serverMib));
    }
    memory.push({ count, mib });
  }
  return figures;
}

async function measure(window: OpenWindow, count: number) {
  const { app, page } = window;
  await waitUntil(async () => (await page.evaluate<number>(RUNNING)) === count, {
    deadlineMs: START_LIMIT_MS,
    describe: `${count} servers that run`,
  });
  await sleep(SETTLE_MS);
  const mainPid = app.process().pid!;
  const cpu = await cpuDuring(mainPid, () => sleep(WATCH_MS));
  await app.evaluate(() => (globalThis as unknown as { gc(): void }).gc());
  await window.collectGarbage();
  const renderer = descendantsOf(mainPid).find(({ command }) => command.includes('--type=renderer'))!;
  const bytes = [mainPid, renderer.pid].reduce((sum, pid) => sum + memoryBytes(pid, 'RssAnon'), 0);
  return { cpu, mib: bytes / 2 ** 20 };
}

const RUNNING = `controlPanel.getSnapshot().then(({ servers }) =>
  servers.filter(({ state }) => state.kind === 'running').length)`;
