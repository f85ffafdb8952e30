import { describe, expect, it } from 'vitest';
import { WindowsProcessTable } from '../../../../electron/core/platform/process-system.ts';
import {
  KernelProcesses,
  parseProcessInformation,
  epochMsOfTicks,
} from '../../../../electron/core/platform/windows/kernel-processes.ts';
import { FakeNativeApi, BASE, processInformation } from './fake-native-api.ts';
import fc from 'fast-check';

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

const node = {
  pid: 880,
  parentPid: 612,
  createTime: 134_000_000_123_456_789n,
  userTime: 12_500_000n,
  kernelTime: 2_500_000n,
  handles: 310,
  workingSet: 38_000_000n,
  privateWorkingSet: 21_000_000n,
  pagefileUsage: 25_000_000n,
  writtenBytes: 52_000n,
  name: 'nöde.exe',
  threads: 3,
};

describe('parseProcessInformation', () => {
  it('reads what the kernel has written, the idle process excepted', () => {
    const idle = { ...node, pid: 0, name: '' };
    const readings = parseProcessInformation(processInformation([idle, node, { ...node, pid: 900 }]), BASE);
    expect(readings.map(({ pid }) => pid)).toEqual([880, 900]);
    expect(readings[0]).toEqual({
      pid: 880,
      ppid: 612,
      startTime: '638911232123456780',
      command: 'nöde.exe',
      isStopped: false,
      isHeld: false,
      cpuTimeMs: 1500,
      reapedCpuTimeMs: 0,
      rssBytes: 38_000_000,
      privateBytes: 21_000_000,
      sharedBytes: 17_000_000,
      openFiles: 310,
      writtenBytes: 52_000,
    });
  });

  it('names the moment at which a process started', () => {
    const [reading] = parseProcessInformation(processInformation([node]), BASE);
    const unixMs = Number(node.createTime / 10_000n) - 11_644_473_600_000;
    expect(epochMsOfTicks(reading!.startTime)).toBe(unixMs);
  });

  it('takes what was committed for the memory where the system tells no private part of it', () => {
    const [reading] = parseProcessInformation(processInformation([{ ...node, privateWorkingSet: 0n }]), BASE);
    expect(reading).toMatchObject({ rssBytes: 38_000_000, privateBytes: 25_000_000 });
    expect(reading).not.toHaveProperty('sharedBytes');
  });

  it('reads no byte outside of what it was given, whatever stands there', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
        const readings = parseProcessInformation(Buffer.from(bytes), BASE);
        expect(readings.length).toBeLessThanOrEqual(bytes.length);
      }),
    );
    const bytes = processInformation([node]);
    bytes.writeBigUInt64LE(BASE + 1_000_000n, 64);
    expect(parseProcessInformation(bytes, BASE)[0]?.command).toBe('');
  });
});
