import type { ErrorCode } from './error-codes.ts';
import type { PanelSettings } from './panel-settings.ts';

/**
 * Settings that each verdict of the panel depends on. A server that was given up for a verdict gets another chance when one of
 * these settings changes, because the verdict may then be different.
 */
export const settingsBehind: Partial<Record<ErrorCode, readonly JudgingSetting[]>> = {
  LIMIT_BREACHED: ['limits'],
  STALLED: ['health', 'calls'],
};

/** Group of settings that a verdict is based on. */
export type JudgingSetting = keyof Pick<PanelSettings, 'limits' | 'health' | 'calls'>;
