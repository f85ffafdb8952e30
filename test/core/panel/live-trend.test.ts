import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { createPanel } from '../../../electron/core/panel/control-panel.ts';
import { patience } from '../../support/patience.ts';
import { writeMonth } from '../../fixtures/month/write-month.ts';
import { panelOptions } from './open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const LEAKING = 'atlassian';
const storeWorker = new URL('../../../electron/core/store/store-worker.ts', import.meta.url);

async function panelOn(home: string) {
  const panel = await createPanel({ ...panelOptions(home), startStoreWorker: () => new Worker(storeWorker) });
  onTestFinished(() => panel.dispose());
  panel.start();
  const trendOf = (name: string) => panel.getSnapshot().servers.find((server) => server.name === name)?.trend;
  const told = () => panel.getSnapshot().events.filter(({ kind }) => kind === 'trend');
  await expect.poll(() => trendOf(LEAKING), { timeout: 20_000 }).toBeDefined();
  return { panel, told, trendOf };
}

it(
  'a panel shows the trend of a server that leaks, and tells it in one event over its launches',
  async () => {
    const home = tempFolder('trend-');
    await writeMonth({
      home,
      now: Date.now(),
      servers: 6,
      entryOf: () => ({ command: 'node', disabled: true }),
    });
    const { panel, told, trendOf } = await panelOn(home);
    expect(await panel.story.trend(LEAKING)).toEqual(trendOf(LEAKING));
    expect(await panel.story.trend('postgres')).toBeUndefined();
    await expect.poll(told).toMatchObject([{ server: LEAKING, detail: { confidence: 'clear' } }]);
    await panel.dispose();
    const next = await panelOn(home);
    await next.panel.story.trend(LEAKING);
    expect(next.told()).toHaveLength(1);
  },
  60_000 * patience,
);
