import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../../../shared/error-codes.ts';
import { settingsBehind } from '../../../../shared/judged-settings.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';

/** Whether settings that led to giving up the server have changed. */
export function isJudgedAnew(
  code: ErrorCode | undefined,
  before: PanelSettings,
  after: PanelSettings,
): boolean {
  const keys = (code && settingsBehind[code]) ?? [];
  return keys.some((key) => !isDeepStrictEqual(before[key], after[key]));
}
