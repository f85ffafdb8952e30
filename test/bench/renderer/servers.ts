import { setTimeout as sleep } from 'node:timers/promises';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { median, type Figure } from '../supervision/figures.ts';
import { appCostFigures, sentFigures } from './app-cost.ts';
import { delayFigures, inputDelays } from './input-delay.ts';
import { longTaskFigures } from './long-tasks.ts';
import {
  keyFigures,
  liveHeapBytes,
  longTasksAtRest,
  quantile,
  restCost,
  restFigures,
  sizeFigures,
  typeSearch,
  type RestCost,
} from './measure.ts';
import type { BenchOptions, Open, OpenWindow } from './open-window.ts';

const FEW = 3;
const FEW_MINUTES = 1;
const MANY = 100;
const WATCH_MS = 30_000;
const SENT_MS = 10_000;
const SETTLE_MS = 5000;
const START_LIMIT_MS = 120_000;
const ROUNDS = 4;
/** Of ten minutes: by then the six minutes of samples that the page keeps are full. */
const FILLING_SHARE = 0.7;
const WORDS = 'server 7';

/** Overview of three servers and of a hundred, each measured once a second, in the same run. */
export async function measureServers(open: Open, options: BenchOptions): Promise<readonly Figure[]> {
  // What a long time changes is looked for with many.
  const few = await measureList(open, FEW, { minutes: Math.min(options.minutes, FEW_MINUTES) });
  const many = await measureList(open, MANY, options);
  const typing = median(many.keys) / median(few.keys);
  const what = `a key in the search of ${MANY} servers`;
  return [
    ...few.figures,
    ...many.figures,
    { what, unit: `× that of ${FEW}`, budget: 2, measured: typing },
    {
      what: `input delay with ${MANY} servers, p95`,
      unit: `× that with ${FEW}`,
      budget: 1.5,
      measured: quantile(many.delays, 0.95) / quantile(few.delays, 0.95),
    },
  ];
}

async function measureList(open: Open, count: number, { minutes }: BenchOptions) {
  const names = Array.from({ length: count }, (_, index) => `server-${index + 1}`);
  const window = await open(Object.fromEntries(names.map((name) => [name, tinyServer(name)])));
  const what = `${count} servers`;
  try {
    await waitForAll(window, count);
    await sleep(SETTLE_MS);
    const heapBytes = await liveHeapBytes(window);
    const openedAt = performance.now();
    await sleep(minutes * FILLING_SHARE * 60_000);
    const filled = { heapBytes: await liveHeapBytes(window), at: performance.now() };
    await sleep(minutes * (1 - FILLING_SHARE) * 60_000);
    let cost: RestCost | undefined;
    const app = await appCostFigures(what, window, async () => (cost = await restCost(window, WATCH_MS)));
    const [task, script, core, mutations] = restFigures(what, cost!);
    const tasks = await longTasksAtRest(window, WATCH_MS);
    const keys: number[] = [];
    const delays = await inputDelays(window, async () => {
      for (let round = 0; round < ROUNDS; round += 1) keys.push(...(await typeSearch(window, WORDS)));
    });
    const growth = await growthSince(window, { heapBytes, at: openedAt });
    const laterGrowth = await growthSince(window, filled);
    const figures: Figure[] = [
      task!,
      script!,
      { ...core!, budget: 15 },
      mutations!,
      ...app,
      ...(await sentFigures(what, window, SENT_MS)),
      ...longTaskFigures(what, tasks, 0),
      ...keyFigures(`a key in the search of ${what}`, keys),
      ...delayFigures(what, delays),
      { what, unit: 'KiB/min of growth of the live heap', measured: growth },
      { what, unit: 'KiB/min of growth in the last part', measured: laterGrowth },
      ...(await sizeFigures(what, window)),
    ];
    return { figures, keys, delays };
  } finally {
    await window.close();
  }
}

/** Growth of the live heap in KiB a minute. */
async function growthSince(window: OpenWindow, { heapBytes, at }: { heapBytes: number; at: number }) {
  const grownKiB = ((await liveHeapBytes(window)) - heapBytes) / 1024;
  return grownKiB / ((performance.now() - at) / 60_000);
}

/** Waits until each server runs: the summary then says so, in words. */
async function waitForAll({ page }: OpenWindow, count: number): Promise<void> {
  const headline = `All ${count} `;
  await waitUntil(async () => (await page.locator('h1').first().textContent())?.startsWith(headline), {
    deadlineMs: START_LIMIT_MS,
    describe: `a headline that begins with “${headline}”`,
  });
}
