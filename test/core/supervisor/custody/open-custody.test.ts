import { expect, it } from 'vitest';
import { openCustody } from '../../../../electron/core/supervisor/custody/open-custody.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeProcesses } from '../fake-processes.ts';

it('opens without a ledger, and says so, where processes cannot be looked up', async () => {
  const table = new FakeProcesses();
  table.identify = () => Promise.reject(new Error('powershell ended (1)'));
  const problems: string[] = [];
  const options = {
    home: '/nowhere',
    clock: createFakeClock(),
    table,
    ownPid: 1,
    bootId: 'boot',
    createToken: () => 'token',
    spawnDeathPipeWatcher: undefined,
  };
  const custody = await openCustody(options, (message) => problems.push(message));
  custody.record({ server: 'web', generation: 1, marker: 'm', groupPid: 7, members: [] });
  await custody.close();
  expect(problems).toEqual([expect.stringContaining('powershell ended (1)')]);
});
