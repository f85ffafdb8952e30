import type { Sample } from '../../shared/domain.ts';
import { formatCpu } from './figures.ts';

/** Number of samples in a row that must be above the warning, the same as the default for limits. */
const SUSTAINED_SAMPLES = 3;

/** Whether all of the latest samples are above the CPU warning. */
export function isOverWarning(latest: readonly Sample[], warnAbovePercent: number): boolean {
  return (
    latest.length >= SUSTAINED_SAMPLES &&
    latest.every(({ cpuPercent }) => cpuPercent !== undefined && cpuPercent > warnAbovePercent)
  );
}

/** Text for a CPU above its limit. It says "warning" because the CPU limit only warns, unlike the others. */
export const warnAboveWords = (warnAbovePercent: number): string =>
  `over its warning: warn above ${formatCpu(warnAbovePercent)}`;
