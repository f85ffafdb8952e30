import { join } from 'node:path';
import type { Settings } from '../../../shared/settings.ts';
import { readContent } from '../../core/files/file-content.ts';

/** True if the system should start the app at login. */
export const needsLoginItem = ({ startAtLogin, gateway }: Settings): boolean =>
  startAtLogin || gateway.startWithClients;

/**
 * Returns what a start at login opens: the panel, or only a doorkeeper (the small process that starts the panel for the first
 * client) if only clients should start the panel.
 */
export const loginStart = ({ startAtLogin, gateway }: Settings): 'panel' | 'doorkeeper' =>
  !startAtLogin && gateway.startWithClients ? 'doorkeeper' : 'panel';

export interface AppStart {
  readonly home: string;
  readonly isPackaged: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * True if this start of the app opens only a doorkeeper (see `loginStart`) and no panel. False if the settings file cannot be
 * used, so that the panel starts and handles the problem.
 */
export async function isForDoorkeeperAlone(start: AppStart, isLoginStart: boolean): Promise<boolean> {
  const isTest = start.environment['MCP_CONTROL_PANEL_TEST'] === '1';
  if (!isLoginStart || !start.isPackaged || isTest) return false;
  const { parseSettings } = await import('../../core/settings/parse-settings.ts');
  const content = await readContent(join(start.home, 'settings.json'));
  const parsed = parseSettings(content.kind === 'text' ? content.text : '{}');
  return parsed.kind === 'parsed' && loginStart(parsed.settings) === 'doorkeeper';
}
