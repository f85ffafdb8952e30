import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessReading, ProcessTable } from '../../../electron/core/platform/process-table.ts';
import { TelemetrySampler, type SampleTarget } from '../../../electron/core/telemetry/sampler.ts';
import type { TreeSample } from '../../../electron/core/telemetry/tree-sample.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';
import { reading } from './reading.ts';

type Trees = ReadonlyMap<number, readonly ProcessReading[]>;

describe('TelemetrySampler', () => {
  let clock: FakeClock;
  let targets: SampleTarget[];
  let intervalMs: number;
  let looks: (readonly number[])[];
  let ticks: ReadonlyMap<string, TreeSample>[];
  let errors: unknown[];
  let readTrees: (pids: readonly number[]) => Promise<Trees>;
  let sampler: TelemetrySampler;

  const treesOf = (pids: readonly number[]): Trees =>
    new Map(pids.map((pid) => [pid, [reading({ pid, cpuTimeMs: clock.now() / 2 })]]));

  beforeEach(() => {
    clock = createFakeClock();
    targets = [];
    intervalMs = 1000;
    looks = [];
    ticks = [];
    errors = [];
    readTrees = async (pids) => treesOf(pids);
    const table = {
      readTrees: (pids: readonly number[]) => {
        looks.push(pids);
        return readTrees(pids);
      },
    } as ProcessTable;
    sampler = new TelemetrySampler({
      table,
      clock,
      wallClock: { epochMs: () => 5_000_000 + clock.now() },
      targets: () => targets,
      intervalMs: () => intervalMs,
      onTick: (samples) => ticks.push(samples),
      onError: (error) => errors.push(error),
    });
  });

  it('samples a container of another machine without a look at the processes of this one', async () => {
    const container = (cpuTimeMs: () => number) => ({
      read: () => ({
        atMs: clock.now(),
        memoryBytes: 7,
        cpuTimeMs: cpuTimeMs(),
        processCount: 1,
        isPaused: false,
      }),
    });
    targets = [{ key: 'far', pid: undefined, figures: container(() => clock.now() / 2) }];
    sampler.poke();
    await clock.advance(1000);
    expect(looks).toEqual([]);
    expect(ticks.at(-1)?.get('far')?.sample).toMatchObject({ memoryBytes: 7, cpuPercent: 50 });
    // The next run has figures of its own.
    targets = [{ key: 'far', pid: undefined, figures: container(() => 0) }];
    sampler.poke();
    await clock.advance(250);
    expect(ticks.at(-1)?.get('far')?.sample.cpuPercent).toBeUndefined();
  });

  afterEach(() => {
    sampler.dispose();
    sampler.dispose();
    expect(clock.pending).toBe(0);
  });

  /** Settles what a look awaits. */
  const settle = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const pass = async (ms: number, stepMs = 10) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.tick(stepMs);
      await settle();
    }
  };
  const add = async (...added: readonly SampleTarget[]) => {
    targets.push(...added);
    sampler.poke();
    clock.tick(0);
    await settle();
  };

  it('has no timer while there is nothing to sample', async () => {
    sampler.poke();
    expect(clock.pending).toBe(0);
    await add({ key: 'a', pid: 1 });
    targets = [];
    await pass(1000);
    expect(clock.pending).toBe(0);
    expect(ticks).toHaveLength(1);
  });

  it('looks at a new target at once, and then once per interval', async () => {
    await add({ key: 'a', pid: 1 });
    expect(ticks).toHaveLength(1);
    await pass(3000);
    expect(ticks).toHaveLength(4);
    expect(ticks.map((tick) => tick.get('a')?.sample)).toMatchObject([
      { at: 5_000_000 },
      { at: 5_001_000, cpuPercent: 50 },
      { at: 5_002_000, cpuPercent: 50 },
      { at: 5_003_000, cpuPercent: 50 },
    ]);
  });

  it('looks at later targets promptly, alone and together, so that the rhythm of the others stays', async () => {
    await add({ key: 'a', pid: 1 });
    await pass(500);
    await add({ key: 'b', pid: 2 });
    expect(looks).toEqual([[1], [2]]);
    await add({ key: 'c', pid: 3 });
    await add({ key: 'd', pid: 4 });
    await pass(250);
    expect(looks).toEqual([[1], [2], [3, 4]]);
    await pass(250);
    expect(looks.at(-1)).toEqual([1, 2, 3, 4]);
    expect(ticks.at(-1)?.get('a')?.sample.cpuPercent).toBe(50);
  });

  it('takes another pid under the same key for a new tree', async () => {
    await add({ key: 'a', pid: 1 });
    await pass(500);
    targets = [{ key: 'a', pid: 2 }];
    await add();
    expect(looks).toEqual([[1], [2]]);
    expect(ticks.at(-1)?.get('a')?.sample).not.toHaveProperty('cpuPercent');
  });

  it('follows a changed interval at once', async () => {
    intervalMs = 5000;
    await add({ key: 'a', pid: 1 });
    await pass(3000);
    expect(ticks).toHaveLength(1);
    intervalMs = 1000;
    await add();
    expect(ticks).toHaveLength(2);
    intervalMs = 5000;
    await add();
    await pass(4900);
    expect(ticks).toHaveLength(2);
    await pass(100);
    expect(ticks).toHaveLength(3);
  });

  it('never has two looks under way, and leaves out those that fell due meanwhile', async () => {
    const gates: (() => void)[] = [];
    readTrees = (pids) => new Promise((resolve) => gates.push(() => resolve(treesOf(pids))));
    await add({ key: 'a', pid: 1 });
    await pass(2500);
    await add({ key: 'b', pid: 2 });
    expect(looks).toHaveLength(1);
    readTrees = async (pids) => treesOf(pids);
    gates[0]?.();
    await settle();
    await pass(10);
    expect(looks).toEqual([[1], [2]]);
    await pass(500);
    expect(looks).toEqual([[1], [2], [1, 2]]);
  });

  it('leaves out a root that has ended, and goes on', async () => {
    await add({ key: 'a', pid: 1 }, { key: 'b', pid: 2 });
    readTrees = async () => treesOf([2]);
    await pass(1000);
    expect([...(ticks.at(-1)?.keys() ?? [])]).toEqual(['b']);
  });

  it('survives a table that throws, and a listener that throws', async () => {
    readTrees = () => Promise.reject(new Error('no table'));
    await add({ key: 'a', pid: 1 });
    await pass(990);
    expect([errors.length, looks.length]).toEqual([1, 1]);
    readTrees = async (pids) => treesOf(pids);
    await pass(1000);
    expect(ticks.length).toBeGreaterThan(0);
    ticks.push = () => {
      throw new Error('listener');
    };
    await pass(1000);
    expect(errors).toHaveLength(2);
    expect(clock.pending).toBe(1);
  });

  it('tells once of a table that goes on failing, and again when it fails anew', async () => {
    const fail = () => Promise.reject(new Error('no table'));
    readTrees = fail;
    await add({ key: 'a', pid: 1 });
    await pass(5000);
    expect(errors).toHaveLength(1);
    readTrees = async (pids) => treesOf(pids);
    await pass(1000);
    readTrees = fail;
    await pass(3000);
    expect(errors).toHaveLength(2);
  });

  it('says nothing after dispose, also when a look is under way', async () => {
    let open: () => void = () => undefined;
    readTrees = (pids) => new Promise((resolve) => (open = () => resolve(treesOf(pids))));
    await add({ key: 'a', pid: 1 });
    sampler.dispose();
    open();
    await settle();
    sampler.poke();
    expect([ticks.length, clock.pending]).toEqual([0, 0]);
  });
});
