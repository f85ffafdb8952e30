/**
 * Core of a panel in a plain Node, without a window: `argv` is home, the number of servers in its
 * servers.json, and for how long they idle. Prints its private memory in bytes after garbage collection, and
 * ends its servers.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createPanel } from '../../../electron/core/panel/control-panel.ts';
import { readBootId } from '../../../electron/core/platform/boot-id.ts';
import { spawnDeathPipeWatcher } from '../../../electron/core/platform/death-pipe.ts';
import { panelOptions } from '../../core/panel/open-test-panel.ts';
import { waitUntil } from '../../fixtures/fixture-server.ts';
import { memoryBytes } from '../../support/proc.ts';

const START_LIMIT_MS = 60_000;

const [home = '', count = '0', idleMs = '0'] = process.argv.slice(2);

const panel = await createPanel({
  ...panelOptions(home),
  bootId: await readBootId(),
  spawnDeathPipeWatcher: () => spawnDeathPipeWatcher(),
});
panel.start();
const running = () => panel.getSnapshot().servers.filter(({ state }) => state.kind === 'running').length;
await waitUntil(() => running() >= Number(count), {
  deadlineMs: START_LIMIT_MS,
  describe: 'all servers run',
});
await delay(Number(idleMs));
const bytes = await leastPrivateBytes();
const { servers } = panel.getSnapshot();
const restarts = servers.reduce((sum, server) => sum + server.restartsTotal, 0);
console.log(JSON.stringify({ bytes, restarts }));
await panel.dispose();

/** Collects garbage as if memory were short, because what the collector keeps in reserve varies and would hide what we hold. */
async function leastPrivateBytes(): Promise<number> {
  let least = Infinity;
  for (let look = 0; look < 10; look += 1) {
    void globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await delay(200);
    least = Math.min(least, memoryBytes(process.pid, 'RssAnon'));
  }
  return least;
}
