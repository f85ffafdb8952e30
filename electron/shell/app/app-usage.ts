import { app } from 'electron';
import { cpus } from 'node:os';
import { memoryOfProcesses } from '../../core/platform/tree-memory.ts';
import { readUsage } from '../../core/platform/ps/pidusage-reader.ts';
import { systemClock } from '../../core/platform/system-clock.ts';
import { AppUsage } from './process-usage.ts';

/** Creates the sampler of the app's own processes. */
export const createAppUsage = (): AppUsage =>
  new AppUsage({
    clock: systemClock,
    metrics: () => app.getAppMetrics(),
    coreCount: cpus().length,
    // On Windows a sample would start a PowerShell, so Chromium's figures are shown there.
    readUsage: process.platform === 'win32' ? undefined : readUsage,
    memoryOf: (pids) => memoryOfProcesses(pids),
  });
