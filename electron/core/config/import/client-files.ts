import { homedir } from 'node:os';
import { errnoOf } from '../../errno.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import type { ImportEnvironment } from './import-strategy.ts';

/** Files of other clients hold their histories, too. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The content of a client's file; undefined where there is none. @throws what keeps one from being read */
export async function readClientFile(path: string): Promise<string | undefined> {
  try {
    return String(await readRegularFile(path, MAX_BYTES));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** Where the files of other clients are on this machine. */
export function importEnvironment(): ImportEnvironment {
  const { APPDATA: appData, XDG_CONFIG_HOME: xdgConfigHome } = process.env;
  return {
    home: homedir(),
    platform: process.platform,
    ...(appData && { appData }),
    ...(xdgConfigHome && { xdgConfigHome }),
  };
}
