import { median, type Figure } from '../supervision/figures.ts';
import { quantile } from './measure.ts';
import type { OpenWindow } from './open-window.ts';

/** Delay of each key that `act` presses until the page handles it, in milliseconds. */
export async function inputDelays(
  { page }: OpenWindow,
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

export const delayFigures = (what: string, delays: readonly number[]): readonly Figure[] => [
  { what, unit: 'ms of input delay, p50', measured: median(delays) },
  { what, unit: 'ms of input delay, p95', measured: quantile(delays, 0.95) },
];
