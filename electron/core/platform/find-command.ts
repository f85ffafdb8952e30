import { stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { commandNotFound } from './spawner.ts';

export interface WantedCommand {
  readonly command: string;
  /** Of the process to be. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Looks where a spawn would look. Resolves also where that cannot be said for sure: on Windows, which has more places and
 * suffixes, without a PATH, and for a path that begins at the working folder. Whether a file may be executed shows in the spawn.
 * @throws PanelError COMMAND_NOT_FOUND
 */
export async function requireCommand(wanted: WantedCommand, platform = process.platform): Promise<void> {
  const { command, env } = wanted;
  const path = env['PATH'];
  if (platform === 'win32' || command === '' || !path) return;
  const folders = path.split(delimiter);
  const isInFolder = command.includes('/');
  if (!isInFolder && !folders.every((folder) => isAbsolute(folder))) return;
  if (isInFolder && !isAbsolute(command)) return;
  const places = isInFolder ? [command] : folders.map((folder) => join(folder, command));
  for (const place of places) if (await mayBeThere(place)) return;
  throw commandNotFound(command, path);
}

/** A place that may not be looked into may hold it. */
async function mayBeThere(place: string): Promise<boolean> {
  return stat(place).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT' && error.code !== 'ENOTDIR',
  );
}
