import { mkdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ledgerPath, writeLedger } from '../../../../electron/core/supervisor/custody/ledger-file.ts';
import {
  ledgerFolder,
  requireNoOtherPanel,
} from '../../../../electron/core/supervisor/custody/open-custody.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

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
