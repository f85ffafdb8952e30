import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Figure } from '../supervision/figures.ts';
import { longTasksDuring, type LongTasks } from './long-tasks.ts';
import type { OpenWindow } from './open-window.ts';

/** Pause between two keys of a fast typist: 80 words a minute. */
const KEY_PAUSE_MS = 150;
/** Empties the search and leaves it. */
const LAST_KEYS = ['Control+a', 'Delete', 'Escape'];

/** Cost per second of a window without input. */
export interface RestCost {
  /** Milliseconds of the page's thread. */
  readonly taskMs: number;
  /** Those of them in scripts. */
  readonly scriptMs: number;
  /** Processor time of the whole process of the page, in percent of a core. */
  readonly corePercent: number;
  /** Changes of the document. */
  readonly mutations: number;
}

/** Watches a window for `spanMs`. */
export async function restCost(window: OpenWindow, spanMs: number): Promise<RestCost> {
  await countMutations(window);
  const before = await window.metrics();
  await sleep(spanMs);
  const after = await window.metrics();
  const perSecond = (amount: number) => (amount / spanMs) * 1000;
  return {
    taskMs: perSecond((after.taskSeconds - before.taskSeconds) * 1000),
    scriptMs: perSecond((after.scriptSeconds - before.scriptSeconds) * 1000),
    corePercent: perSecond((after.processSeconds - before.processSeconds) * 100),
    mutations: perSecond(await takeMutations(window)),
  };
}

/** Figures of a window at rest under a name. */
export function restFigures(what: string, cost: RestCost): readonly Figure[] {
  return [
    { what, unit: 'ms/s', measured: cost.taskMs },
    { what, unit: 'ms/s in scripts', measured: cost.scriptMs },
    { what, unit: '% of a core', measured: cost.corePercent },
    { what, unit: 'mutations/s', measured: cost.mutations },
  ];
}

/** Live heap of the page after garbage collection. */
export async function liveHeapBytes(window: OpenWindow): Promise<number> {
  await window.collectGarbage();
  return (await window.metrics()).heapBytes;
}

/** What a window holds. */
export async function sizeFigures(what: string, window: OpenWindow): Promise<readonly Figure[]> {
  await window.collectGarbage();
  const { nodes, heapBytes } = await window.metrics();
  return [
    { what, unit: 'nodes', measured: nodes },
    { what, unit: 'MiB of heap', measured: heapBytes / 2 ** 20 },
  ];
}

/** Watches a window for tasks that take long. */
export const longTasksAtRest = (window: OpenWindow, spanMs: number): Promise<LongTasks> =>
  longTasksDuring(window, () => sleep(spanMs));

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

/** Middle and slow keys, in milliseconds. */
export const keyFigures = (what: string, keys: readonly number[]): readonly Figure[] => [
  { what, unit: 'ms, p50', measured: median(keys) },
  { what, unit: 'ms, p95', measured: quantile(keys, 0.95) },
];

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

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
