import type { ZoomStep } from '../../../shared/app-commands.ts';

/** Zoom levels of the whole window, in percent. */
const STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

export const ACTUAL_SIZE_PERCENT = 100;

/** Returns the zoom level after a step from `percent`; the lowest and highest level stay. */
export function zoomAfter(percent: number, step: ZoomStep): number {
  if (step === 'reset') return ACTUAL_SIZE_PERCENT;
  const next = step === 'in' ? STEPS.find((one) => one > percent) : STEPS.findLast((one) => one < percent);
  return next ?? percent;
}

/** Returns the stored level if it is a valid one, because a file may hold anything. */
export const zoomOrActualSize = (value: unknown): number =>
  STEPS.find((one) => one === value) ?? ACTUAL_SIZE_PERCENT;
