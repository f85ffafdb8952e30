import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import { median, type Figure } from '../supervision/figures.ts';
import { threadMs, typeSearch } from './measure.ts';
import type { Open, OpenWindow } from './open-window.ts';

const WORDS = 'chatter 12';
const ROUNDS = 5;
const IDLE_MS = 10_000;

/**
 * Logs at their cap while five lines come a second, beside an empty one in the same run: thread time of the
 * page per key in the search, and per second without a hand.
 */
export async function measureLogs(open: Open): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'renderer-bench-logs-'));
  const signal = join(folder, 'full');
  const window = await open({
    empty: fixtureServer(),
    full: fixtureServer(`--stderr-fill-until=${signal}`, '--stderr-every-ms=200'),
  });
  try {
    await showLogs(window, 'full');
    await window.page.getByText(/^stderr, 10\u2009000 lines$/).waitFor({ timeout: 60_000 });
    writeFileSync(signal, '');
    await sleep(3000);
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
      { what: 'a full log, five lines a second', unit: 'ms/s', measured: (atRest / IDLE_MS) * 1000 },
      { what: 'a key in the search of an empty log, median', unit: 'ms', measured: median(empty) },
      { what: 'a key in the search of a full log, median', unit: 'ms', measured: median(full) },
      {
        what: 'a key in a full log',
        unit: '× an empty one',
        budget: 2,
        measured: median(full) / median(empty),
      },
      { what: 'nodes', unit: '', measured: nodes },
      { what: 'heap of the page', unit: 'MiB', measured: heapBytes / 2 ** 20 },
    ];
  } finally {
    await window.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function showLogs({ page }: OpenWindow, server: string): Promise<void> {
  await page.evaluate(`location.hash = '#/servers/${server}/logs'`);
  await page.getByRole('heading', { name: server, exact: true }).waitFor();
  await page.getByRole('log', { name: 'Logs' }).waitFor();
  await sleep(1500);
}
