import { describe, expect, it } from 'vitest';
import { LinuxProcessTable } from '../../../electron/core/platform/linux-process-table.ts';
import { PsProcessTable } from '../../../electron/core/platform/ps-process-table.ts';
import { openProcessSystem, jobSpawner } from '../../../electron/core/platform/process-system.ts';
import { createFakeClock } from '../fake-clock.ts';
import { FakeNativeApi } from './windows/fake-native-api.ts';
import type { SpawnRequest } from '../../../electron/core/platform/spawner.ts';
import { KernelProcesses } from '../../../electron/core/platform/windows/kernel-processes.ts';
import { openStreams } from '../supervisor/fake-processes.ts';

const spawn = () => Promise.reject(new Error('not asked for'));

describe('openProcessSystem', () => {
  it.each([
    ['linux', LinuxProcessTable],
    ['darwin', PsProcessTable],
    ['freebsd', PsProcessTable],
  ] as const)(
    'reads the processes of %s by its own table, and never loads the native library',
    async (platform, expected) => {
      const clock = createFakeClock();
      const loadNative = () => Promise.reject(new Error('loaded'));
      const { table, holding, problem } = await openProcessSystem({ clock, platform, loadNative });
      expect([problem, holding(spawn)]).toEqual([undefined, spawn]);
      expect(table).toBeInstanceOf(expected);
      expect(table.leastIntervalMs ?? 0).toBe(0);
      table.dispose();
      expect(clock.pending).toBe(0);
    },
  );

  it('asks the kernel of Windows, without any helper', async () => {
    const api = new FakeNativeApi();
    api.processes.push({ pid: 8, parentPid: 4, createTime: 134_000_000_000_000_000n });
    const options = { clock: createFakeClock(), platform: 'win32', loadNative: async () => api } as const;
    const { table, holding, problem } = await openProcessSystem(options);
    expect((await table.readTrees([8])).get(8)?.[0]?.command).toBe('p8.exe');
    expect([problem, table.leastIntervalMs]).toEqual([undefined, 0]);
    expect(holding(spawn)).not.toBe(spawn);
    table.dispose();
  });

  it('runs without the native library, looks seldom, and says so', async () => {
    const clock = createFakeClock();
    const loadNative = () => Promise.reject(new Error('Cannot find the native Koffi module'));
    const system = await openProcessSystem({ clock, platform: 'win32', loadNative });
    expect(system.problem).toContain('Cannot find the native Koffi module');
    expect(system.table.leastIntervalMs).toBe(5000);
    expect(typeof system.table.identifySync).toBe('undefined');
    expect(system.holding(spawn)).toBe(spawn);
    system.table.dispose();
    expect(clock.pending).toBe(0);
  });
});

const OWN = 4;
const CHILD = 8;
const REQUEST: SpawnRequest = { command: 'server', args: [], env: {} };
const KILL_ON_JOB_CLOSE = 0x2000;

function bench() {
  const api = new FakeNativeApi();
  const put = (pid: number, parentPid: number, createTime = 100n) =>
    api.processes.push({ pid, parentPid, createTime });
  put(OWN, 1, 1n);
  const streams = openStreams();
  const spawn = async () => ({ pid: CHILD, ...streams, exited: new Promise<never>(() => undefined) });
  return { api, put, spawner: jobSpawner(spawn, api, new KernelProcesses(api), OWN) };
}

describe('jobSpawner', () => {
  it('holds the child, and what it has started before anybody could look', async () => {
    const { api, put, spawner } = bench();
    put(CHILD, OWN);
    put(12, CHILD, 200n);
    put(16, 12, 300n);
    put(20, CHILD, 50n); // Older than its parent: the pid of that belonged to another process.
    const { job } = await spawner(REQUEST);
    expect(job?.pids()).toEqual([CHILD, 12, 16]);
    expect([...api.jobs.values()][0]?.limits?.readUInt32LE(16)).toSatisfy(
      (flags: number) => (flags & KILL_ON_JOB_CLOSE) !== 0,
    );
    expect(job?.terminate()).toBe(true);
    expect(api.processes.map(({ pid }) => pid)).toEqual([OWN, 20]);
    job?.close();
    job?.close();
    expect([api.open, job?.pids(), job?.terminate()]).toEqual([0, [], false]);
  });

  it('caps the memory and the CPU of the job, if it is to', async () => {
    const { api, put, spawner } = bench();
    put(CHILD, OWN);
    await spawner({ ...REQUEST, caps: { memoryMiB: 256, cpuCores: 0.001 } });
    const [job] = [...api.jobs.values()];
    expect([job?.limits?.readUInt32LE(16), job?.limits?.readBigUInt64LE(120)]).toEqual([
      KILL_ON_JOB_CLOSE | 0xa00,
      268_435_456n,
    ]);
    expect(job?.cpuRate?.readUInt32LE(0)).toBe(0x5);
    expect(job?.cpuRate?.readUInt32LE(4)).toBeGreaterThan(0);
    const without = bench();
    without.put(CHILD, OWN);
    await without.spawner(REQUEST);
    const [other] = [...without.api.jobs.values()];
    expect([other?.limits?.readUInt32LE(16), other?.cpuRate]).toEqual([KILL_ON_JOB_CLOSE | 0x800, undefined]);
  });

  it('holds a child also where the system refuses its caps', async () => {
    const { api, put, spawner } = bench();
    put(CHILD, OWN);
    api.refusesCpuRate = true;
    const { job } = await spawner({ ...REQUEST, caps: { memoryMiB: 256, cpuCores: 0.001 } });
    expect([job?.pids(), api.jobs.size]).toEqual([[CHILD], 1]);
  });

  it('tells all pids of a job that outgrows its list', async () => {
    const { put, spawner } = bench();
    put(CHILD, OWN);
    for (let pid = 1000; pid < 1500; pid += 1) put(pid, CHILD, 200n);
    expect((await spawner(REQUEST)).job?.pids()).toHaveLength(501);
  });

  it('takes in no stranger who got the pid of a child that has ended', async () => {
    const { api, put, spawner } = bench();
    put(CHILD, 1);
    expect((await spawner(REQUEST)).job).toBeUndefined();
    expect(api.open).toBe(0);
    expect(api.processes).toHaveLength(2);
  });

  it('owns the child without a job where the system refuses, or lists nothing', async () => {
    const { api, put, spawner } = bench();
    put(CHILD, OWN);
    api.refusesAssignment = true;
    expect((await spawner(REQUEST)).job).toBeUndefined();
    api.querySystem = () => ({ status: 0xc0000022, bytes: 0 });
    expect((await spawner(REQUEST)).job).toBeUndefined();
    expect(api.open).toBe(0);
  });
});
