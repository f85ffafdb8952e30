import { expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import type { ProcessIdentity } from '../../../electron/core/platform/process-table.ts';
import { processTableForPlatform } from '../../../electron/core/platform/process-table-for-platform.ts';
import { openTestPanel } from './open-test-panel.ts';

it('shows its servers while the first look at the processes is not over, and starts none before it is', async ({
  onTestFinished,
}) => {
  const look = createDeferred<ProcessIdentity | undefined>();
  const table = processTableForPlatform();
  table.identify = () => look.promise;
  const spawned: string[] = [];
  const { panel, dispose } = await openTestPanel(
    { web: { command: 'no-such-command' } },
    {
      table,
      bootId: 'boot',
      spawner: ({ command }) => (spawned.push(command), expect.unreachable()) as never,
    },
  );
  onTestFinished(dispose);
  panel.start();
  expect(panel.getSnapshot().servers.map(({ name }) => name)).toEqual(['web']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(panel.getSnapshot().servers.map(({ state }) => state.kind)).toEqual(['starting']);
  expect(spawned).toEqual([]);
  look.resolve(undefined);
});
