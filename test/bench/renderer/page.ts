import { setTimeout as sleep } from 'node:timers/promises';
import { fixtureServer } from '../../fixtures/fixture-server.ts';
import type { Figure } from '../harness/figures.ts';
import { restCost, restFigures } from './measure.ts';
import { withWindow, type OpenWindow } from './open-window.ts';

const WATCH_MS = 30_000;
const SETTLE_MS = 3000;

/** A server's page with its curves, beside the same page without any, in the same run. */
export function measurePage(minutes: number): Promise<readonly Figure[]> {
  return withWindow({ one: fixtureServer() }, async (window) => {
    await show(window, '');
    await sleep(minutes * 60_000);
    const figures: Figure[] = [];
    for (const span of ['5 min', '1 h', '24 h']) {
      await window.page.getByText(span, { exact: true }).click();
      await window.page.mouse.move(0, 0);
      await sleep(SETTLE_MS);
      const cost = await restCost(window, WATCH_MS);
      const [task, ...others] = restFigures(`page of a server, ${span}`, cost);
      figures.push({ ...task!, budget: 30 }, ...others);
    }
    await show(window, '/configuration');
    figures.push(...restFigures('page of a server, no curves', await restCost(window, WATCH_MS)));
    return figures;
  });
}

async function show({ page }: OpenWindow, tab: string): Promise<void> {
  await page.evaluate(`location.hash = '#/servers/one${tab}'`);
  await page.getByRole('heading', { name: 'one', exact: true }).waitFor();
  await sleep(SETTLE_MS);
}
