import type { ProcessReading } from '../platform/process-table.ts';
import { memoryOf } from './tree-facts.ts';

/** One look at a tree, and when it was, on the monotonic clock. */
export interface TimedReadings {
  readonly nowMs: number;
  readonly readings: readonly ProcessReading[];
}

/** What one process of a tree costs. A figure that could not be read is absent. */
export interface ProcessFigures extends Pick<ProcessReading, 'pid' | 'ppid' | 'startTime' | 'command'> {
  readonly isStopped: boolean;
  readonly memoryBytes?: number;
  /** 100 is one core; absent for a process that the look before did not hold. */
  readonly cpuPercent?: number;
  readonly openFiles?: number;
}

/** Each process of a look, in its order. CPU is what it used itself since the look before, not what its ended children did. */
export function processFigures(
  look: TimedReadings,
  before: TimedReadings | undefined,
): readonly ProcessFigures[] {
  const earlier = new Map(before?.readings.map((reading) => [reading.pid, reading]));
  const elapsedMs = before === undefined ? 0 : look.nowMs - before.nowMs;
  return look.readings.map((reading) => {
    const { pid, ppid, startTime, command, isStopped, openFiles, cpuTimeMs } = reading;
    const base = earlier.get(pid);
    const memoryBytes = memoryOf(reading);
    const hasCpu = base?.startTime === startTime && elapsedMs > 0;
    return {
      pid,
      ppid,
      startTime,
      command,
      isStopped,
      ...(memoryBytes !== undefined && { memoryBytes }),
      ...(hasCpu && { cpuPercent: (Math.max(0, cpuTimeMs - base.cpuTimeMs) / elapsedMs) * 100 }),
      ...(openFiles !== undefined && { openFiles }),
    };
  });
}
