import { app } from 'electron';
import { cpus } from 'node:os';
import { memoryOfProcesses } from '../../core/platform/app-memory.ts';
import { readUsage } from '../../core/platform/ps/pidusage-reader.ts';
import { systemClock } from '../../core/platform/system-clock.ts';
import { AppUsage } from './process-usage.ts';

/** What the processes of this app use. */
export const createAppUsage = (): AppUsage =>
  new AppUsage({
    clock: systemClock,
    metrics: () => app.getAppMetrics(),
    coreCount: cpus().length,
    // On Windows a look would start a PowerShell, so what Chromium itself tells is shown there.
    readUsage: process.platform === 'win32' ? undefined : readUsage,
    memoryOf: (pids) => memoryOfProcesses(pids),
  });
