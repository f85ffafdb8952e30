import type { Sample } from '../../shared/domain.ts';
import { formatCpu } from './figures.ts';

/** Samples that have to be over the warning, as many as the limits ask for by default. */
const SUSTAINED_SAMPLES = 3;

/** Whether the CPU stays over its warning in all of the latest samples. */
export function isOverWarning(latest: readonly Sample[], warnAbovePercent: number): boolean {
  return (
    latest.length >= SUSTAINED_SAMPLES &&
    latest.every(({ cpuPercent }) => cpuPercent !== undefined && cpuPercent > warnAbovePercent)
  );
}

/** The CPU limit only warns, which its name does not say. */
export const warnAboveWords = (warnAbovePercent: number): string =>
  `over its warning: warn above ${formatCpu(warnAbovePercent)}`;
