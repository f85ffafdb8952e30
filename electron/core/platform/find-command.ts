import { delimiter, isAbsolute } from 'node:path';
import { findProgram } from './find-program.ts';
import { findSimilarCommand } from './similar-command.ts';
import { commandNotFound } from './spawn-error.ts';
import type { SpawnRequest } from './spawner.ts';

/**
 * Looks where a spawn would look, unless the request tells what a look has found. Resolves also where that cannot be said for sure: on Windows, which has more places and
 * suffixes, without a PATH, and for a path that begins at the working folder. Whether a file may be executed shows in the spawn.
 * @throws PanelError COMMAND_NOT_FOUND
 */
export async function requireCommand(
  { command, env, found }: Pick<SpawnRequest, 'command' | 'env' | 'found'>,
  platform = process.platform,
): Promise<void> {
  const path = env['PATH'];
  if (platform === 'win32' || command === '' || !path) return;
  const isInFolder = command.includes('/');
  const isCertain = isInFolder ? isAbsolute(command) : path.split(delimiter).every(isAbsolute);
  if (!isCertain) return;
  const program = found ?? (await findProgram({ command, path }));
  if (!('code' in program) || program.code !== 'ENOENT') return;
  throw commandNotFound(command, path, { suggestion: await findSimilarCommand(command, path) });
}
