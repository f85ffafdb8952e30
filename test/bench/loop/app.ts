import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../e2e/support/processes.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';
import { withApp, type BenchApp } from '../harness/app.ts';
import type { Servers } from '../harness/homes.ts';
import { drive, type Driven } from './drive.ts';
import type { Host, Lateness } from './hosts.ts';

const INPUT_PERIOD_MS = 50;
const QUIT_LIMIT_MS = 30_000;

/** The real app with its window, for as long as `use` takes. */
export function withHost<T>(
  servers: Servers,
  prepare: (home: string) => void,
  use: (host: Host) => Promise<T>,
): Promise<T> {
  const args = ['-r', join(import.meta.dirname, 'observe-loop.cjs')];
  return withApp(servers, (panel) => use(hostOf(panel)), { prepare, args, hasTray: true });
}

function hostOf({ app, page, mainPid }: BenchApp): Host {
  return {
    mainPid,
    // The page gets the source of the function because it has no imports.
    drive: (options) =>
      page.evaluate<Driven>(`(${drive.toString()})(window.controlPanel, ${JSON.stringify(options)})`),
    takeLateness: () =>
      app.evaluate(() => (globalThis as unknown as { takeLateness(): Lateness }).takeLateness()),
    inputDelays: async (during) => {
      const delays: number[] = [];
      const state = { isOver: false };
      const over = during.finally(() => (state.isOver = true));
      // The time counts from the driver's order over the main process to the page and back, because that is
      // what a person waits for.
      for (let index = 0; !state.isOver; index += 1) {
        const beganMs = performance.now();
        await page.mouse.move(300 + (index % 2), 300);
        delays.push(performance.now() - beganMs);
        await delay(INPUT_PERIOD_MS);
      }
      await over;
      return delays;
    },
    quit: async () => {
      const beganMs = performance.now();
      process.kill(mainPid, 'SIGTERM');
      await waitUntil('the app to end', () => !isAlive(mainPid), QUIT_LIMIT_MS);
      return performance.now() - beganMs;
    },
    kill: () => Promise.resolve(),
  };
}
