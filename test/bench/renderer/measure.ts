import { setTimeout as sleep } from 'node:timers/promises';
import { sentDuring, type LaunchedApp } from '../harness/app.ts';
import { cpuDuring } from '../harness/cpu.ts';
import { figure, median, quantile, type Figure } from '../harness/figures.ts';
import type { OpenWindow } from './open-window.ts';

/** Between two keys, as of somebody who types fast: 80 words a minute. */
const KEY_PAUSE_MS = 150;
/** Empties the search and leaves it. */
const LAST_KEYS = ['Control+a', 'Delete', 'Escape'];

/** What a window that nobody touches costs while it is watched for `spanMs`. */
export async function restFigures(
  what: string,
  window: OpenWindow,
  spanMs: number,
  { taskMs, corePercent }: { readonly taskMs?: number; readonly corePercent?: number } = {},
): Promise<readonly Figure[]> {
  await countMutations(window);
  const before = await window.metrics();
  await sleep(spanMs);
  const after = await window.metrics();
  const perSecond = (amount: number) => (amount / spanMs) * 1000;
  const secondsOf = (part: 'taskSeconds' | 'scriptSeconds' | 'processSeconds') => after[part] - before[part];
  return [
    figure(what, 'ms/s', perSecond(secondsOf('taskSeconds') * 1000), taskMs),
    figure(what, 'ms/s in scripts', perSecond(secondsOf('scriptSeconds') * 1000)),
    figure(what, '% of a core', perSecond(secondsOf('processSeconds') * 100), corePercent),
    figure(what, 'mutations/s', perSecond(await takeMutations(window))),
  ];
}

/** Figures of the processor time that each process of the app takes while `act` runs. Linux only. */
export async function appCostFigures(
  what: string,
  { app }: LaunchedApp,
  act: () => Promise<unknown>,
): Promise<readonly Figure[]> {
  const cpu = await cpuDuring(app.process().pid!, act);
  return [
    figure(what, '% of a core, main process', cpu.main),
    figure(what, '% of a core, graphics', cpu.gpu),
    figure(what, '% of a core, the whole app', cpu.app),
  ];
}

/** What goes to the page in a span of time, as JSON; counting costs time, so nothing else is measured meanwhile. */
export async function sentFigures(
  what: string,
  window: LaunchedApp,
  spanMs: number,
): Promise<readonly Figure[]> {
  const { bytes, messages } = await sentDuring(window, () => sleep(spanMs));
  const perSecond = (amount: number) => (amount / spanMs) * 1000;
  return [
    figure(what, 'KiB/s over IPC', perSecond(bytes) / 1024),
    figure(what, 'messages/s over IPC', perSecond(messages)),
  ];
}

/** How long each key that `act` presses waits before the page hears of it, in milliseconds. */
export async function inputDelays(
  { page }: LaunchedApp,
  act: () => Promise<unknown>,
): Promise<readonly number[]> {
  await page.evaluate(`(() => {
    window.benchDelays = [];
    window.benchKeys?.abort();
    window.benchKeys = new AbortController();
    const note = (event) => window.benchDelays.push(performance.now() - event.timeStamp);
    window.addEventListener('keydown', note, { capture: true, signal: window.benchKeys.signal });
  })()`);
  await act();
  return page.evaluate<number[]>('(window.benchKeys.abort(), window.benchDelays)');
}

/** Live heap of the page, once what nobody holds is freed. */
export async function liveHeapBytes(window: OpenWindow): Promise<number> {
  await window.collectGarbage();
  return (await window.metrics()).heapBytes;
}

/** What a window holds. */
export async function sizeFigures(what: string, window: OpenWindow): Promise<readonly Figure[]> {
  await window.collectGarbage();
  const { nodes, heapBytes } = await window.metrics();
  return [figure(what, 'nodes', nodes), figure(what, 'MiB of heap', heapBytes / 2 ** 20)];
}

/** Types words into the search of the view. Returns the thread time of the page for each key, in milliseconds. */
export async function typeSearch(window: OpenWindow, words: string): Promise<number[]> {
  const taken: number[] = [];
  await press(window, 'Control+f');
  for (const key of words) {
    taken.push(
      await threadMs(window, async () => {
        await window.page.keyboard.type(key);
        await sleep(KEY_PAUSE_MS);
      }),
    );
  }
  for (const key of LAST_KEYS) await press(window, key);
  return taken;
}

async function press({ page }: OpenWindow, key: string): Promise<void> {
  await page.keyboard.press(key);
  await sleep(KEY_PAUSE_MS);
}

/** Middle and slow of so many times, in milliseconds. */
export const timeFigures = (what: string, unit: string, times: readonly number[]): readonly Figure[] => [
  figure(what, `${unit}, p50`, median(times)),
  figure(what, `${unit}, p95`, quantile(times, 0.95)),
];

/** Milliseconds that the page's thread was busy meanwhile. */
export async function threadMs(window: OpenWindow, act: () => Promise<unknown>): Promise<number> {
  const before = await window.metrics();
  await act();
  return ((await window.metrics()).taskSeconds - before.taskSeconds) * 1000;
}

async function countMutations({ page }: OpenWindow): Promise<void> {
  await page.evaluate(`(() => {
    window.benchMutations = 0;
    window.benchObserver?.disconnect();
    window.benchObserver = new MutationObserver((records) => (window.benchMutations += records.length));
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    window.benchObserver.observe(document, all);
  })()`);
}

const takeMutations = async ({ page }: OpenWindow): Promise<number> =>
  Number(await page.evaluate('(window.benchObserver.disconnect(), window.benchMutations)'));
