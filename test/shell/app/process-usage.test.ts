import { describe, expect, it } from 'vitest';
import { AppUsage, type ProcessFacts, processName } from '../../../electron/shell/app/process-usage.ts';
import { createFakeClock } from '../../core/fake-clock.ts';

const KIB = 1024;
const fact = (pid: number, type: string, percentCPUUsage = 0): ProcessFacts => ({
  pid,
  type,
  cpu: { percentCPUUsage },
  memory: { workingSetSize: 1000 },
});

function usageOf(facts: readonly ProcessFacts[], memory: ReadonlyMap<number, number> | undefined) {
  const clock = createFakeClock();
  const cpuTimeMs = new Map<number, number>();
  const usage = new AppUsage({
    clock,
    metrics: () => facts,
    coreCount: 4,
    readUsage: async (pids) =>
      new Map(pids.map((pid) => [pid, { rssBytes: 500 * KIB, cpuTimeMs: cpuTimeMs.get(pid) ?? 0 }])),
    memoryOf: (pids) =>
      memory && pids.reduce((sum, pid) => sum + (memory.get(pid) ?? 0), pids.length > 1 ? 7 : 0),
  });
  return { clock, cpuTimeMs, usage };
}

describe('AppUsage', () => {
  it('names each process with its memory, the largest first, and counts what they share once in the sum', async () => {
    const memory = new Map([
      [1, 40],
      [2, 90],
    ]);
    const { usage } = usageOf([fact(1, 'Browser'), fact(2, 'Tab')], memory);
    expect(await usage.look()).toEqual({
      memoryBytes: 137,
      processes: [
        { name: 'Window', pid: 2, memoryBytes: 90 },
        { name: 'Main process', pid: 1, memoryBytes: 40 },
      ],
    });
  });

  it('knows CPU from the second look on, of one core, and adds it up', async () => {
    const { clock, cpuTimeMs, usage } = usageOf([fact(1, 'Browser'), fact(2, 'GPU')], undefined);
    expect((await usage.look()).cpuPercent).toBeUndefined();
    await clock.advance(2000);
    cpuTimeMs.set(1, 500).set(2, 3000);
    const { cpuPercent, processes } = await usage.look();
    expect(cpuPercent).toBe(175);
    expect(processes).toMatchObject([{ cpuPercent: 25 }, { cpuPercent: 150 }]);
  });

  it('has no CPU yet of a process that came since the last look', async () => {
    const facts = [fact(1, 'Browser')];
    const { clock, usage } = usageOf(facts, undefined);
    await usage.look();
    facts.push(fact(2, 'Tab'));
    await clock.advance(2000);
    const late = (await usage.look()).processes?.find(({ pid }) => pid === 2);
    expect(late).toEqual({ name: 'Window', pid: 2, memoryBytes: 500 * KIB });
  });

  it('takes what Chromium tells where no reader is worth its cost', async () => {
    const usage = new AppUsage({
      clock: createFakeClock(),
      metrics: () => [fact(1, 'Browser', 2.5)],
      coreCount: 4,
      readUsage: undefined,
      memoryOf: () => undefined,
    });
    expect(await usage.look()).toEqual({
      memoryBytes: 1000 * KIB,
      cpuPercent: 10,
      processes: [{ name: 'Main process', pid: 1, memoryBytes: 1000 * KIB, cpuPercent: 10 }],
    });
  });
});

describe('processName', () => {
  it.each([
    [{ type: 'Browser' }, 'Main process'],
    [{ type: 'Tab' }, 'Window'],
    [
      { type: 'Utility', name: 'Network Service', serviceName: 'network.mojom.NetworkService' },
      'Network Service',
    ],
    [{ type: 'Utility', serviceName: 'storage.mojom.StorageService' }, 'storage.mojom.StorageService'],
    [{ type: 'toString' }, 'toString'],
  ])('%j', (named, name) => expect(processName(named)).toBe(name));
});
