import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';

/** The settings that led to a failure which is a verdict of ours. */
const settingsBehind: Partial<Record<ErrorCode, readonly (keyof PanelSettings)[]>> = {
  LIMIT_BREACHED: ['limits'],
  STALLED: ['health', 'calls'],
};

/** Whether what a server was given up for is judged by other settings now. */
export function isJudgedAnew(
  code: ErrorCode | undefined,
  before: PanelSettings,
  after: PanelSettings,
): boolean {
  const keys = (code && settingsBehind[code]) ?? [];
  return keys.some((key) => !isDeepStrictEqual(before[key], after[key]));
}
