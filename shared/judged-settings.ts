import type { ErrorCode } from './error-codes.ts';
import type { PanelSettings } from './panel-settings.ts';

/**
 * Settings on which each verdict of the panel (limit exceeded, stalled) depends. A server that was given up because of a
 * verdict gets another chance when one of these settings changes, because the verdict may then be different.
 */
export const settingsBehind: Partial<Record<ErrorCode, readonly JudgingSetting[]>> = {
  LIMIT_BREACHED: ['limits'],
  STALLED: ['health', 'calls'],
};

/** Group of settings on which a verdict depends. */
export type JudgingSetting = keyof Pick<PanelSettings, 'limits' | 'health' | 'calls'>;
