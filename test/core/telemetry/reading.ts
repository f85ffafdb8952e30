import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';

/** Reading with the given figures, and plain ones elsewhere. */
export function reading(figures: Partial<ProcessReading> & { readonly pid: number }): ProcessReading {
  return {
    startTime: `start-${figures.pid}`,
    ppid: 1,
    command: `p${figures.pid}`,
    isStopped: false,
    isHeld: false,
    cpuTimeMs: 0,
    reapedCpuTimeMs: 0,
    ...figures,
  };
}
