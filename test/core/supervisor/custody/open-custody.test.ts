import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import type { ProcessIdentity } from '../../../../electron/core/platform/process-table.ts';
import {
  findLedgers,
  ledgerPath,
  writeLedger,
} from '../../../../electron/core/supervisor/custody/ledger-file.ts';
import {
  ledgerFolder,
  openCustody,
  requireNoOtherPanel,
} from '../../../../electron/core/supervisor/custody/open-custody.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses } from '../fake-processes.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

function custodyOf(identify: () => Promise<ProcessIdentity | undefined>, onProblem: (words: string) => void) {
  const home = tempFolder('custody-');
  const table = new FakeProcesses();
  table.identify = identify;
  const custody = openCustody(
    {
      ...{ home, table, ownPid: 77, bootId: 'boot', clock: createFakeClock() },
      createToken: () => 'token',
      spawnDeathPipeWatcher: undefined,
    },
    onProblem,
  );
  custody.record({ server: 'web', generation: 1, marker: 'm', groupPid: 7, members: [] });
  return { custody, home };
}

it('opens without a ledger, and says so, where processes cannot be looked up', async () => {
  const problems: string[] = [];
  const { custody } = custodyOf(
    () => Promise.reject(new Error('powershell ended (1)')),
    (message) => problems.push(message),
  );
  await custody.close();
  expect(problems).toEqual([expect.stringContaining('powershell ended (1)')]);
});

it('is there before the first look at the processes is over, and then writes down what was recorded meanwhile', async () => {
  const look = createDeferred<ProcessIdentity | undefined>();
  const { custody, home } = custodyOf(
    () => look.promise,
    (problem) => expect.unreachable(problem),
  );
  let isReady = false;
  const ready = custody.ready().then(() => (isReady = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isReady).toBe(false);
  look.resolve({ pid: 77, startTime: 'then' });
  await ready;
  await custody.close();
  expect(await findLedgers(join(home, 'ledger'))).toEqual([
    {
      path: join(home, 'ledger', '77-token.json'),
      ledger: expect.objectContaining({ owner: { pid: 77, startTime: 'then' } }) as unknown,
    },
  ]);
});

const owner = { pid: 4711, startTime: 'then' };

/** Home folder in which a panel, process 4711, had a server running. */
async function homeOfAnother(): Promise<string> {
  const home = tempFolder('other-panel-');
  const folder = ledgerFolder(home);
  mkdirSync(folder);
  const run = { server: 'web', generation: 1, marker: 'm', members: [] };
  await writeLedger(ledgerPath(folder, owner.pid, 'x'), folder, {
    ...{ version: 1, bootId: 'boot', owner },
    runs: [run],
  });
  return home;
}

const asked = async (identify: () => Promise<typeof owner>, isTaken = true) =>
  requireNoOtherPanel(await homeOfAnother(), {
    ...{ table: { identify }, bootId: 'boot', ownPid: 1, isPidTaken: () => isTaken },
  });

it('refuses a home whose servers another panel has running', async () => {
  await expect(asked(() => Promise.resolve(owner))).rejects.toThrow('Another panel, process 4711');
});

it('lets a later process with the pid of that panel be', async () => {
  await expect(asked(() => Promise.resolve({ ...owner, startTime: 'now' }))).resolves.toBeUndefined();
});

it('asks no table, which may take seconds, about a panel whose pid nobody has', async () => {
  await expect(asked(() => expect.unreachable('asked the table'), false)).resolves.toBeUndefined();
});
