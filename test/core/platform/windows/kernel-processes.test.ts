import { describe, expect, it } from 'vitest';
import { WindowsProcessTable } from '../../../../electron/core/platform/process-system.ts';
import { KernelProcesses } from '../../../../electron/core/platform/windows/kernel-processes.ts';
import { FakeNativeApi } from './fake-native-api.ts';

const START = 134_000_000_000_000_000n;
const START_TICKS = '638911232000000000';

function bench() {
  const api = new FakeNativeApi();
  const processes = new KernelProcesses(api);
  return { api, processes, table: new WindowsProcessTable(processes) };
}

describe('KernelProcesses', () => {
  it('lists more processes than there was room for', async () => {
    const { api, table } = bench();
    for (let pid = 1; pid <= 3000; pid += 1) api.processes.push({ pid, parentPid: 1, createTime: START });
    expect((await table.readTrees([1])).get(1)).toHaveLength(3000);
  });

  it('says what the kernel says when it refuses', () => {
    const { api, processes } = bench();
    api.querySystem = () => ({ status: 0xc0000022, bytes: 0 });
    expect(() => processes.listNow()).toThrow('status 0xc0000022');
  });

  it.each([
    ['one that lives', {}, { pid: 8, startTime: START_TICKS }],
    ['one that may not be opened', { isProtected: true }, { pid: 8, startTime: START_TICKS }],
    ['one that has ended, of which a handle is open', { hasEnded: true }, undefined],
  ])('identifies %s, and closes what it opened', (_, state, expected) => {
    const { api, table } = bench();
    api.processes.push({ pid: 8, parentPid: 1, createTime: START, ...state });
    expect(table.identifySync?.(8)).toEqual(expected);
    expect(table.identifySync?.(9)).toBeUndefined();
    expect(api.open).toBe(0);
  });

  it('lists nothing for a pid that nobody has', () => {
    const { api, table } = bench();
    let listings = 0;
    api.onList = () => (listings += 1);
    table.identifySync?.(9);
    expect(listings).toBe(0);
  });

  it('tells the command line of the very process, and of no later one with its pid', async () => {
    const { api, table } = bench();
    api.processes.push({ pid: 8, parentPid: 1, createTime: START, commandLine: 'node "a b.js"' });
    api.processes.push({ pid: 12, parentPid: 1, createTime: START });
    const asked = [
      { pid: 8, startTime: START_TICKS },
      { pid: 12, startTime: START_TICKS },
    ];
    const details = await table.describe(asked);
    expect(details.get(8)).toMatchObject({ commandLine: 'node "a b.js"' });
    expect(details.get(12)).not.toHaveProperty('commandLine');
    const stranger = { pid: 8, startTime: '638911232000000010' };
    expect((await table.describe([stranger])).get(8)).not.toHaveProperty('commandLine');
    expect(api.open).toBe(0);
  });
});
