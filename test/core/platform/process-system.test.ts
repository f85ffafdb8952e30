import { describe, expect, it } from 'vitest';
import { openProcessSystem } from '../../../electron/core/platform/process-system.ts';
import { createFakeClock } from '../fake-clock.ts';
import { FakeNativeApi } from './windows/fake-native-api.ts';

const spawn = () => Promise.reject(new Error('not asked for'));

describe('openProcessSystem', () => {
  it.each(['linux', 'darwin', 'freebsd'] as const)(
    'never loads the native library on %s',
    async (platform) => {
      const clock = createFakeClock();
      const loadNative = () => Promise.reject(new Error('loaded'));
      const { table, holding, problem } = await openProcessSystem({ clock, platform, loadNative });
      expect([problem, holding(spawn)]).toEqual([undefined, spawn]);
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
