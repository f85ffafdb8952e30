import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import type { ProcessIdentity, ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { processTableForPlatform } from '../../../electron/core/platform/process-system.ts';
import { spawnChild, type Spawner } from '../../../electron/core/platform/spawner.ts';
import { tinyServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { panelOfTest } from './panel-of-test.ts';

it('shows its servers while the first look at the processes is not over, and starts none before it is', async () => {
  const look = createDeferred<ProcessIdentity | undefined>();
  const table: ProcessTable = processTableForPlatform();
  Object.defineProperty(table, 'identify', { value: () => look.promise });
  const spawned: string[] = [];
  const spawner: Spawner = (request) => {
    spawned.push(request.command);
    return spawnChild(request);
  };
  const { panel } = await panelOfTest(
    { web: { command: 'no-such-command' } },
    { table, bootId: 'boot', spawner },
  );
  panel.start();
  expect(panel.getSnapshot().servers.map(({ name }) => name)).toEqual(['web']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(panel.getSnapshot().servers.map(({ state }) => state.kind)).toEqual(['starting']);
  expect(spawned).toEqual([]);
  look.resolve(undefined);
});

it('answers clients on its port before the first server is spawned, however long that has to wait', async () => {
  const look = createDeferred<ProcessIdentity | undefined>();
  const table: ProcessTable = processTableForPlatform();
  Object.defineProperty(table, 'identify', { value: () => look.promise });
  const steps: string[] = [];
  const spawned = createDeferred<void>();
  const spawner: Spawner = (request) => {
    steps.push('spawned');
    spawned.resolve();
    return spawnChild(request);
  };
  const { panel } = await panelOfTest({ tiny: tinyServer() }, { table, bootId: 'boot', spawner });
  panel.start();
  await waitUntil(() => panel.gateway.status().port !== 0, 'it listens');
  const { status } = await fetch(`${panel.gateway.status().url}/servers/tiny/mcp`, { method: 'POST' });
  steps.push(`answered ${status}`);
  look.resolve(undefined);
  await spawned.promise;
  expect(steps).toEqual(['answered 401', 'spawned']);
});

it('has its end on disk as soon as it begins to quit, because a session that ends leaves no time', async () => {
  const { panel, home } = await panelOfTest({});
  panel.start();
  panel.quitBegins('quit');
  const written = readFileSync(join(home, 'logs', 'events.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(written.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual([
    'panel-started',
    'panel-quit',
  ]);
});
