import { setTimeout as sleep } from 'node:timers/promises';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import type { Figure } from '../harness/figures.ts';
import { restFigures } from './measure.ts';
import { SETTLE_MS, show, withWindow } from './open-window.ts';

const WATCH_MS = 30_000;

/** A server's page with its curves, beside the same page without any, in the same run. */
export function measurePage(minutes: number): Promise<readonly Figure[]> {
  return withWindow({ one: fixtureServer() }, async (window) => {
    await show(window, '#/servers/one', 'one');
    await sleep(minutes * 60_000);
    const figures: Figure[] = [];
    for (const span of ['5 min', '1 h', '24 h']) {
      await window.page.getByLabel('Time shown', { exact: true }).selectOption({ label: span });
      await window.page.mouse.move(0, 0);
      await sleep(SETTLE_MS);
      figures.push(...(await restFigures(`page of a server, ${span}`, window, WATCH_MS, { taskMs: 30 })));
    }
    await show(window, '#/servers/one/configuration', 'one');
    return [...figures, ...(await restFigures('page of a server, no curves', window, WATCH_MS))];
  });
}
