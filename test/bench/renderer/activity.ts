import { setTimeout as sleep } from 'node:timers/promises';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { longTaskFigures, longTasksDuring } from './long-tasks.ts';
import { restCost, restFigures, sizeFigures, threadMs } from './measure.ts';
import { withWindow, type OpenWindow } from './open-window.ts';

const EVENTS = 500;
const WATCH_MS = 20_000;
const SETTLE_MS = 3000;
const KINDS = ['started', 'stopped', 'crashed'] as const;

/** Activity with all the events that a window holds, beside a view without any, in the same run. */
export function measureActivity(): Promise<readonly Figure[]> {
  const measure = async (window: OpenWindow) => {
    await show(window, '#/clients', 'Clients');
    const control = await longTasksDuring(window, () => sleep(WATCH_MS));
    const opening = await threadMs(window, () => show(window, '#/activity', 'Activity'));
    const tasks = await longTasksDuring(window, async () => {
      await show(window, '#/clients', 'Clients');
      await show(window, '#/activity', 'Activity');
      await sleep(WATCH_MS);
    });
    const what = `Activity of ${EVENTS} events`;
    return [
      figure(`${what}, opening`, 'ms', opening),
      ...restFigures(what, await restCost(window, WATCH_MS)),
      ...longTaskFigures(what, tasks, 0),
      ...longTaskFigures('no events', control),
      ...(await sizeFigures(what, window)),
    ];
  };
  return withWindow({ one: tinyServer('one') }, measure, journalLines());
}

async function show({ page }: OpenWindow, hash: string, heading: string): Promise<void> {
  await page.evaluate(`location.hash = '${hash}'`);
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  await sleep(SETTLE_MS);
}

/** Events of an earlier launch, a minute apart, of a hundred servers. */
function journalLines(): readonly string[] {
  const startAt = Date.now() - EVENTS * 60_000;
  return Array.from({ length: EVENTS }, (_, index) => {
    const at = startAt + index * 60_000;
    const id = `${String(at).padStart(14, '0')}-00000001-bench`;
    const server = `server-${(index * 37) % 100}`;
    return JSON.stringify({ id, at, server, kind: KINDS[index % KINDS.length], detail: {} });
  });
}
