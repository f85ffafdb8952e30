import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../../../shared/error-codes.ts';
import { settingsBehind } from '../../../../shared/judged-settings.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';

/** Whether what a server was given up for is judged by other settings now. */
export function isJudgedAnew(
  code: ErrorCode | undefined,
  before: PanelSettings,
  after: PanelSettings,
): boolean {
  const keys = (code && settingsBehind[code]) ?? [];
  return keys.some((key) => !isDeepStrictEqual(before[key], after[key]));
}
