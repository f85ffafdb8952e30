import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { figure, median, type Figure } from '../harness/figures.ts';
import { inFolder } from '../../support/homes.ts';
import { threadMs, typeSearch } from './measure.ts';
import { SETTLE_MS, show, withWindow, type OpenWindow } from './open-window.ts';

const WORDS = 'chatter 12';
const ROUNDS = 5;
const IDLE_MS = 10_000;
/** Most lines that the page holds. */
const HELD_LINES = 20_000;
const FILL_LIMIT_MS = 60_000;

/**
 * Logs at their cap while five lines come a second, beside an empty one in the same run: thread time of the
 * page per key in the search, and per second without a hand.
 */
export const measureLogs = (): Promise<readonly Figure[]> =>
  inFolder((folder) => {
    const signal = join(folder, 'full');
    const servers = {
      empty: fixtureServer(),
      full: fixtureServer(`--stderr-fill-until=${signal}`, '--stderr-every-ms=200'),
    };
    return withWindow(servers, (window) => measure(window, signal));
  });

async function measure(window: OpenWindow, signal: string): Promise<readonly Figure[]> {
  await showLogs(window, 'full');
  await waitUntil('a full log', async () => (await lastNumber(window)) > HELD_LINES, FILL_LIMIT_MS);
  writeFileSync(signal, '');
  await sleep(SETTLE_MS);
  const atRest = await threadMs(window, () => sleep(IDLE_MS));
  const full: number[] = [];
  const empty: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await showLogs(window, 'full');
    full.push(...(await typeSearch(window, WORDS)));
    await showLogs(window, 'empty');
    empty.push(...(await typeSearch(window, WORDS)));
  }
  const { nodes, heapBytes } = await window.metrics();
  return [
    figure('a full log, five lines a second', 'ms/s', (atRest / IDLE_MS) * 1000),
    figure('a key in the search of an empty log, median', 'ms', median(empty)),
    figure('a key in the search of a full log, median', 'ms', median(full)),
    figure('a key in a full log', '× an empty one', median(full) / median(empty), 2),
    figure('nodes', '', nodes),
    figure('heap of the page', 'MiB', heapBytes / 2 ** 20),
  ];
}

async function showLogs(window: OpenWindow, server: string): Promise<void> {
  await show(window, `#/servers/${server}/logs`, server);
  await window.page.getByRole('log', { name: 'Logs' }).waitFor();
}

/** Number in the last line that is drawn. */
const lastNumber = ({ page }: OpenWindow): Promise<number> =>
  page.evaluate<number>(
    `Number([...document.querySelectorAll('[data-text]')].at(-1)?.textContent.replace('chatter ', ''))`,
  );
