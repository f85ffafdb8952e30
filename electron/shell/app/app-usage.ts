import { app } from 'electron';
import { cpus } from 'node:os';
import type { PanelFigures } from '../../../shared/panel-figures.ts';
import { memoryOfProcesses } from '../../core/platform/app-memory.ts';

export type AppUsage = Pick<PanelFigures, 'memoryBytes' | 'cpuPercent'>;

const BYTES_PER_KIB = 1024;

/** What the processes of the app itself use: this one, the page, and Chromium's helpers. CPU since the last look. */
export function readAppUsage(): AppUsage {
  const metrics = app.getAppMetrics();
  // Chromium divides by the number of cores; everywhere else in the window 100 % is one.
  const share = metrics.reduce((sum, { cpu }) => sum + cpu.percentCPUUsage, 0);
  return { memoryBytes: memoryBytesOf(metrics), cpuPercent: share * cpus().length };
}

/** Working sets hold what processes share once for each, so they serve only where nothing better is told. */
function memoryBytesOf(metrics: readonly Electron.ProcessMetric[]): number {
  const known = memoryOfProcesses(metrics.map(({ pid }) => pid));
  if (known !== undefined) return known;
  const sumKib = metrics.reduce((sum, { memory }) => sum + (memory.privateBytes ?? memory.workingSetSize), 0);
  return sumKib * BYTES_PER_KIB;
}
