import { setTimeout as sleep } from 'node:timers/promises';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { figure, type Figure } from '../harness/figures.ts';
import { longTaskFigures } from './long-tasks.ts';
import { restFigures, sizeFigures, threadMs } from './measure.ts';
import { show, withWindow, type OpenWindow } from './open-window.ts';

const EVENTS = 500;
const WATCH_MS = 20_000;
const KINDS = ['started', 'stopped', 'crashed'] as const;

/** Activity with all the events that a window holds, beside a view without any, in the same run. */
export function measureActivity(): Promise<readonly Figure[]> {
  const what = `Activity of ${EVENTS} events`;
  const measure = async (window: OpenWindow) => {
    const clients = () => show(window, '#/clients', 'Clients');
    const activity = () => show(window, '#/activity', 'Activity');
    await clients();
    const control = await longTaskFigures('no events', window, () => sleep(WATCH_MS));
    const opening = await threadMs(window, activity);
    const often = async () => {
      await clients();
      await activity();
      await sleep(WATCH_MS);
    };
    const tasks = await longTaskFigures(what, window, often, 0);
    return [
      figure(`${what}, opening`, 'ms', opening),
      ...(await restFigures(what, window, WATCH_MS)),
      ...tasks,
      ...control,
      ...(await sizeFigures(what, window)),
    ];
  };
  return withWindow({ one: tinyServer('one') }, measure, journalLines());
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
