import { describe, expect, it } from 'vitest';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';
import { processFigures } from '../../../electron/core/telemetry/tree-sample.ts';
import { reading } from './reading.ts';

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
