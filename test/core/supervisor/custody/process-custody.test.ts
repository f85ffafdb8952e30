import { describe, expect, it } from 'vitest';
import type { DeathPipe } from '../../../../electron/core/platform/death-pipe.ts';
import { ProcessCustody } from '../../../../electron/core/supervisor/custody/process-custody.ts';

const run = { server: 'one', generation: 1, marker: 'marker', groupPid: 7, members: [] };

function custodyWithPipe() {
  const done: string[] = [];
  const pipe: DeathPipe = {
    update: ({ groupPid }) => void done.push(`update ${groupPid}`),
    forget: (groupPid) => void done.push(`forget ${groupPid}`),
    close: () => Promise.resolve(void done.push('close')),
  };
  const start = () => {
    done.push('start');
    return pipe;
  };
  return { custody: new ProcessCustody(undefined, start), done };
}

describe('the custody of processes', () => {
  it('starts its helper once, before the first run, when told to prepare', () => {
    const { custody, done } = custodyWithPipe();
    custody.prepare();
    custody.prepare();
    custody.record(run);
    custody.forget(run);
    expect(done).toEqual(['start', 'update 7', 'forget 7']);
  });

  it('starts its helper with the first run at the latest', () => {
    const { custody, done } = custodyWithPipe();
    custody.record(run);
    expect(done).toEqual(['start', 'update 7']);
  });

  it('starts no helper any more once closed', async () => {
    const { custody, done } = custodyWithPipe();
    await custody.close();
    custody.prepare();
    custody.record(run);
    expect(done).toEqual([]);
  });
});
