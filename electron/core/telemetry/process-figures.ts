import type { ProcessReading } from '../platform/process-table.ts';
import { memoryOf } from '../platform/tree-memory.ts';

export interface TimedReadings {
  readonly nowMs: number;
  readonly readings: readonly ProcessReading[];
}

/** Figures of one process of a tree. Figures that could not be read are undefined. */
export interface ProcessFigures extends Pick<ProcessReading, 'pid' | 'ppid' | 'startTime' | 'command'> {
  readonly isStopped: boolean;
  readonly memoryBytes?: number;
  /** CPU use in percent of one core; undefined for a process that the sample before did not have. */
  readonly cpuPercent?: number;
  readonly openFiles?: number;
}

/** Figures of each process of a sample, in its order. CPU is its own use since the sample before, without ended children. */
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
