import { describe, expect, it } from 'vitest';
import {
  arrangeProcesses,
  processCommand,
  type ProcessOrder,
} from '../../../renderer/format/process-tree.ts';
import type { ProcessView } from '../../../shared/processes.ts';

const aProcess = (pid: number, ppid: number, changes: Partial<ProcessView> = {}): ProcessView => ({
  pid,
  ppid,
  startTime: `s${pid}`,
  startedAt: pid,
  program: 'node',
  ...changes,
});

const shape = (processes: readonly ProcessView[], order: ProcessOrder = 'started') =>
  arrangeProcesses(processes, order).map(({ process, level }) => `${'-'.repeat(level - 1)}${process.pid}`);

describe('arrangeProcesses', () => {
  const tree = [
    aProcess(10, 1, { memoryBytes: 1, cpuPercent: 0.04 }),
    aProcess(11, 10, { memoryBytes: 50, cpuPercent: 0.01, program: 'uv' }),
    aProcess(12, 10, { memoryBytes: 90, cpuPercent: 7, openFiles: 3, program: 'bash' }),
    aProcess(13, 11),
  ];

  it('puts each process above its children, the oldest first', () => {
    expect(shape(tree.toReversed())).toEqual(['10', '-11', '--13', '-12']);
  });

  it.each<[ProcessOrder, readonly string[]]>([
    ['memory', ['10', '-12', '-11', '--13']],
    ['cpu', ['10', '-12', '-11', '--13']],
    ['files', ['10', '-12', '-11', '--13']],
    ['program', ['10', '-12', '-11', '--13']],
    ['pid', ['10', '-11', '--13', '-12']],
  ])('sorts siblings by %s, and never tears a child from its parent', (order, rows) => {
    expect(shape(tree, order)).toEqual(rows);
  });

  it('leaves processes with the same shown figure in their places', () => {
    const idle = [aProcess(20, 1, { cpuPercent: 0.01 }), aProcess(21, 1, { cpuPercent: 0.04 })];
    expect(shape(idle, 'cpu')).toEqual(['20', '21']);
  });

  it('shows every process once, whatever they claim about their parents', () => {
    const odd = [aProcess(30, 31), aProcess(31, 30), aProcess(32, 32), aProcess(33, 999)];
    expect(
      shape(odd)
        .map((row) => row.replaceAll('-', ''))
        .toSorted(),
    ).toEqual(['30', '31', '32', '33']);
  });
});

describe('commandOf', () => {
  it('is the name of the program where the system tells no command line', () => {
    expect(processCommand(aProcess(1, 0))).toBe('node');
    expect(processCommand(aProcess(1, 0, { commandLine: 'node a.js' }))).toBe('node a.js');
  });
});
