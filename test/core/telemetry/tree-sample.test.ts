import { describe, expect, it } from 'vitest';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';
import { processFigures, sampleTree, type TreeMemory } from '../../../electron/core/telemetry/tree-sample.ts';
import { reading } from './reading.ts';

const MIB = 1024 * 1024;

/** Looks at `looks`, which are [monotonic ms, readings], one after the other. */
function sampleAll(...looks: readonly (readonly [number, readonly ProcessReading[]])[]) {
  let memory: TreeMemory | undefined;
  return looks.map(([nowMs, readings]) => {
    const result = sampleTree(memory, readings, { epochMs: 1_000_000 + nowMs, nowMs });
    memory = result.memory;
    return result.tree;
  });
}
const sampleOnce = (...readings: readonly ProcessReading[]) => sampleAll([0, readings])[0]!;

describe('sampleTree', () => {
  it('adds up private memory, and takes shared memory once', () => {
    const { sample, facts } = sampleOnce(
      reading({ pid: 1, rssBytes: 30 * MIB, privateBytes: 10 * MIB, sharedBytes: 20 * MIB }),
      reading({ pid: 2, rssBytes: 31 * MIB, privateBytes: 16 * MIB, sharedBytes: 15 * MIB }),
    );
    expect(sample).toMatchObject({ memoryBytes: 46 * MIB, processCount: 2, at: 1_000_000 });
    expect(facts.largest).toEqual({ pid: 2, command: 'p2', memoryBytes: 31 * MIB });
  });

  it('takes the resident size of a process that does not tell private from shared', () => {
    const rssOnly = reading({ pid: 1, rssBytes: 30 * MIB });
    const full = reading({ pid: 2, rssBytes: 12 * MIB, privateBytes: 10 * MIB, sharedBytes: 2 * MIB });
    expect(sampleOnce(rssOnly, full).sample.memoryBytes).toBe(42 * MIB);
  });

  it('leaves out what nobody tells', () => {
    const { sample, facts } = sampleOnce(reading({ pid: 1 }));
    expect(sample).toEqual({ at: 1_000_000, processCount: 1 });
    expect(facts).toStrictEqual({ newProcesses: 1 });
  });

  it('adds up open files, and names the process with most of them', () => {
    const { sample, facts } = sampleOnce(
      reading({ pid: 1, openFiles: 30 }),
      reading({ pid: 2 }),
      reading({ pid: 3, openFiles: 990, command: 'leaky' }),
    );
    expect(sample.openFiles).toBe(1020);
    expect(facts.mostOpenFiles).toEqual({ pid: 3, command: 'leaky', openFiles: 990 });
  });

  describe('the server process', () => {
    const stoppedOf = (...readings: ProcessReading[]) => sampleOnce(...readings).facts.stoppedServer?.pid;
    const stopped = (one: ProcessReading) => ({ ...one, isStopped: true });
    const npm = reading({ pid: 1, command: 'npm exec @scope', holdsPipes: true });
    const shell = reading({ pid: 2, ppid: 1, command: 'sh', holdsPipes: true });
    const server = reading({ pid: 3, ppid: 2, command: 'node', holdsPipes: true });
    const child = reading({ pid: 4, ppid: 3, command: 'python3', holdsPipes: true });

    it('is the topmost that holds our pipes, behind wrappers', () => {
      expect(stoppedOf(npm, shell, server)).toBeUndefined();
      expect(stoppedOf(npm, shell, stopped(server))).toBe(3);
      expect(stoppedOf(stopped(npm), stopped(shell), stopped(server))).toBe(3);
      // Wrappers do not answer on stdout, so nobody misses them.
      expect(stoppedOf(stopped(npm), stopped(shell), server)).toBeUndefined();
    });

    it('is not a child that has inherited its pipes, nor one that has other pipes', () => {
      expect(stoppedOf(npm, server, stopped(child))).toBeUndefined();
      expect(stoppedOf(npm, server, stopped({ ...child, holdsPipes: false }))).toBeUndefined();
    });

    it('is the last of a chain of shells, because a server may be written in shell', () => {
      expect(stoppedOf(npm, stopped(shell))).toBe(2);
    });

    it('is what wrappers have started where nobody tells who holds a pipe', () => {
      const wrapper = reading({ pid: 1, command: 'npm' });
      const below = reading({ pid: 2, ppid: 1, command: 'node', isStopped: true });
      const helper = reading({ pid: 3, ppid: 2, command: 'chromium', isStopped: true });
      expect(stoppedOf(wrapper, below, helper)).toBe(2);
      expect(stoppedOf({ ...below, ppid: 9 }, helper)).toBe(2);
    });

    it('is told with what shows whether it runs between two looks', () => {
      const facts = sampleOnce(stopped(reading({ pid: 7, cpuTimeMs: 50, contextSwitches: 9 }))).facts;
      expect(facts.stoppedServer).toStrictEqual({
        pid: 7,
        startTime: 'start-7',
        cpuTimeMs: 50,
        contextSwitches: 9,
      });
    });

    it('is held where a debugger holds it, and not where one holds a child of it', () => {
      const heldOf = (...readings: ProcessReading[]) => sampleOnce(...readings).facts.isHeld;
      const held = (one: ProcessReading) => ({ ...one, isHeld: true });
      expect(heldOf(held(server))).toBe(true);
      expect(heldOf(server, held(child))).toBeUndefined();
      expect(heldOf(server)).toBeUndefined();
    });
  });

  it('tells of a client whose work is done elsewhere', () => {
    const reaches = (...commands: string[]) =>
      sampleOnce(...commands.map((command, pid) => reading({ pid, command }))).facts.reachesOut;
    expect(reaches('sh', 'docker')).toBe(true);
    expect(reaches('node', 'ssh')).toBe(true);
    expect(reaches('node', 'dockerd')).toBeUndefined();
  });

  it('gives the share of one core since the last look, children that came and went included', () => {
    const root = (reapedCpuTimeMs: number) => reading({ pid: 1, cpuTimeMs: 100, reapedCpuTimeMs });
    const child = (cpuTimeMs: number) => reading({ pid: 2, ppid: 1, cpuTimeMs });
    const looks = sampleAll(
      [0, [root(0)]],
      [1000, [root(0), child(300)]],
      [3000, [root(800)]],
      [4000, [root(800)]],
    );
    expect(looks.map(({ sample }) => sample.cpuPercent)).toEqual([undefined, 30, 25, 0]);
    expect(looks.map(({ facts }) => facts.usedCpuMs)).toEqual([undefined, 300, 500, 0]);
  });

  it('gives no percentage for a moment too short for it, and makes up for it later', () => {
    const busy = (cpuTimeMs: number) => [reading({ pid: 1, cpuTimeMs })];
    const looks = sampleAll([0, busy(0)], [20, busy(10)], [1000, busy(500)]);
    expect(looks.map(({ sample }) => sample.cpuPercent)).toEqual([undefined, undefined, 50]);
  });

  it('tells new processes and bytes written since the last look', () => {
    const writer = (pid: number, writtenBytes: number) => reading({ pid, writtenBytes });
    const looks = sampleAll(
      [0, [writer(1, 500)]],
      [1000, [writer(1, 700), writer(2, 9)]],
      [2000, [writer(1, 700), writer(2, 10)]],
    );
    expect(looks.map(({ facts }) => facts.newProcesses)).toEqual([1, 1, 0]);
    expect(looks.map(({ facts }) => facts.writtenBytes)).toEqual([undefined, 200, 1]);
  });
});

const node = (pid: number, changes: Partial<ProcessReading> = {}) =>
  reading({ pid, startTime: `s${pid}`, command: 'node', cpuTimeMs: 1000, ...changes });

describe('processFigures', () => {
  it('gives what each process used since the look before, as a share of one core', () => {
    const before = { nowMs: 5000, readings: [node(10), node(11)] };
    const look = { nowMs: 7000, readings: [node(10, { cpuTimeMs: 2500 }), node(11)] };
    expect(processFigures(look, before).map(({ cpuPercent }) => cpuPercent)).toEqual([75, 0]);
  });

  it('leaves out the share of a process that is new, also under the pid of an older one', () => {
    const before = { nowMs: 0, readings: [node(10, { startTime: 'older', cpuTimeMs: 0 })] };
    const figures = processFigures({ nowMs: 1000, readings: [node(10), node(11)] }, before);
    expect(figures.filter((one) => 'cpuPercent' in one)).toEqual([]);
    expect(processFigures({ nowMs: 1000, readings: [node(10)] }, undefined)[0]).not.toHaveProperty(
      'cpuPercent',
    );
  });

  it('leaves out what the system does not tell, and counts memory as the facts of the tree do', () => {
    const told = { privateBytes: 30, sharedBytes: 12, rssBytes: 99, openFiles: 4 };
    const [bare, full, resident] = processFigures(
      { nowMs: 0, readings: [node(1), node(2, told), node(3, { rssBytes: 7 })] },
      undefined,
    );
    expect(bare).toEqual({ pid: 1, ppid: 1, startTime: 's1', command: 'node', isStopped: false });
    expect(full).toMatchObject({ memoryBytes: 42, openFiles: 4 });
    expect(resident).toMatchObject({ memoryBytes: 7 });
  });
});
