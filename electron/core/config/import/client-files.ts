import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { errnoOf } from '../../errno.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import type { ImportEnvironment } from '../programs/environment.ts';

/** Maximum bytes of a client's file; large, because files of other MCP clients may contain their histories. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a client's file; undefined if it does not exist. @throws the error of reading it */
export async function readClientFile(path: string): Promise<string | undefined> {
  try {
    return String(await readRegularFile(path, MAX_BYTES));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

/** Returns the folders in which other MCP clients keep their files on this machine. */
export function importEnvironment(): ImportEnvironment {
  const { env } = process;
  const named = (name: string, key: keyof ImportEnvironment) => (env[name] ? { [key]: env[name] } : {});
  return {
    home: homedir(),
    platform: process.platform,
    ...named('APPDATA', 'appData'),
    ...named('LOCALAPPDATA', 'localAppData'),
    ...named('XDG_CONFIG_HOME', 'xdgConfigHome'),
    ...named('CLAUDE_CONFIG_DIR', 'claudeConfigDir'),
    ...named('CODEX_HOME', 'codexHome'),
    ...named('COPILOT_HOME', 'copilotHome'),
    foldersIn,
  };
}

function foldersIn(path: string): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true }).flatMap((found) =>
      found.isDirectory() ? [found.name] : [],
    );
  } catch {
    return [];
  }
}
