import { join } from 'node:path';
import type { Settings } from '../../../shared/settings.ts';
import { readContent } from '../../core/files/file-content.ts';

/** Whether the system is to start the app at login. */
export const needsLoginItem = ({ startAtLogin, gateway }: Settings): boolean =>
  startAtLogin || gateway.startWithClients;

/** What a start at login opens: only a doorkeeper if clients alone are to start the panel. */
export const loginStart = ({ startAtLogin, gateway }: Settings): 'panel' | 'doorkeeper' =>
  !startAtLogin && gateway.startWithClients ? 'doorkeeper' : 'panel';

export interface AppStart {
  readonly home: string;
  readonly isPackaged: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether this start of the app opens no panel, but only a doorkeeper. A file that cannot be used is left to the panel. */
export async function isForDoorkeeperAlone(start: AppStart, isLoginStart: boolean): Promise<boolean> {
  const isTest = start.environment['MCP_CONTROL_PANEL_TEST'] === '1';
  if (!isLoginStart || !start.isPackaged || isTest) return false;
  const { parseSettings } = await import('../../core/settings/parse-settings.ts');
  const content = await readContent(join(start.home, 'settings.json'));
  const parsed = parseSettings(content.kind === 'text' ? content.text : '{}');
  return parsed.kind === 'parsed' && loginStart(parsed.settings) === 'doorkeeper';
}
