import type { ErrorCode } from './error-codes.ts';
import type { PanelSettings } from './panel-settings.ts';

/**
 * Settings behind each verdict of the panel. A server that was given up for a verdict gets another chance when one of these
 * changes, because it is then judged differently.
 */
export const settingsBehind: Partial<Record<ErrorCode, readonly JudgingSetting[]>> = {
  LIMIT_BREACHED: ['limits'],
  STALLED: ['health', 'calls'],
};

/** Group of settings that a verdict is based on. */
export type JudgingSetting = keyof Pick<PanelSettings, 'limits' | 'health' | 'calls'>;
