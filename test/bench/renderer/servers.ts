import { setTimeout as sleep } from 'node:timers/promises';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { untilRunning } from '../harness/app.ts';
import { figure, median, quantile, type Figure } from '../harness/figures.ts';
import { longTaskFigures } from './long-tasks.ts';
import {
  appCostFigures,
  inputDelays,
  liveHeapBytes,
  restFigures,
  sentFigures,
  sizeFigures,
  timeFigures,
  typeSearch,
} from './measure.ts';
import { withWindow, type OpenWindow } from './open-window.ts';

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
export async function measureServers(minutes: number): Promise<readonly Figure[]> {
  // What a long time changes is looked for with many.
  const few = await measureList(FEW, Math.min(minutes, FEW_MINUTES));
  const many = await measureList(MANY, minutes);
  const typing = median(many.keys) / median(few.keys);
  const delay = quantile(many.delays, 0.95) / quantile(few.delays, 0.95);
  return [
    ...few.figures,
    ...many.figures,
    figure(`a key in the search of ${MANY} servers`, `× that of ${FEW}`, typing, 2),
    figure(`input delay with ${MANY} servers, p95`, `× that with ${FEW}`, delay, 1.5),
  ];
}

function measureList(count: number, minutes: number) {
  const names = Array.from({ length: count }, (_, index) => `server-${index + 1}`);
  const servers = Object.fromEntries(names.map((name) => [name, tinyServer(name)]));
  const what = `${count} servers`;
  return withWindow(servers, async (window) => {
    await untilRunning(window, count, START_LIMIT_MS);
    await sleep(SETTLE_MS);
    const heapBytes = await liveHeapBytes(window);
    const openedAt = performance.now();
    await sleep(minutes * FILLING_SHARE * 60_000);
    const filled = { heapBytes: await liveHeapBytes(window), at: performance.now() };
    await sleep(minutes * (1 - FILLING_SHARE) * 60_000);
    const rest: Figure[] = [];
    const app = await appCostFigures(what, window, async () => {
      rest.push(...(await restFigures(what, window, WATCH_MS, { corePercent: 15 })));
    });
    const tasks = await longTaskFigures(what, window, () => sleep(WATCH_MS), 0);
    const keys: number[] = [];
    const delays = await inputDelays(window, async () => {
      for (let round = 0; round < ROUNDS; round += 1) keys.push(...(await typeSearch(window, WORDS)));
    });
    const growth = await growthSince(window, { heapBytes, at: openedAt });
    const laterGrowth = await growthSince(window, filled);
    const figures: Figure[] = [
      ...rest,
      ...app,
      ...(await sentFigures(what, window, SENT_MS)),
      ...tasks,
      ...timeFigures(`a key in the search of ${what}`, 'ms', keys),
      ...timeFigures(what, 'ms of input delay', delays),
      figure(what, 'KiB/min of growth of the live heap', growth),
      figure(what, 'KiB/min of growth in the last part', laterGrowth),
      ...(await sizeFigures(what, window)),
    ];
    return { figures, keys, delays };
  });
}

/** Growth of the live heap in KiB a minute. */
async function growthSince(window: OpenWindow, { heapBytes, at }: { heapBytes: number; at: number }) {
  const grownKiB = ((await liveHeapBytes(window)) - heapBytes) / 1024;
  return grownKiB / ((performance.now() - at) / 60_000);
}
