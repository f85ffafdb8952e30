import { delimiter, isAbsolute } from 'node:path';
import { programFinder } from './find-program.ts';
import { namesPlace, programSearch } from './program-search.ts';
import { findSimilarCommand } from './similar-command.ts';
import { commandNotFound } from './spawn-error.ts';
import type { SpawnRequest } from './spawner.ts';

/**
 * Checks that a spawn would find the command, unless the request holds an earlier result. Resolves also in uncertain cases: on
 * POSIX without a PATH, and for a path relative to the working folder. The spawn itself checks whether the file may be executed.
 * @throws PanelError COMMAND_NOT_FOUND
 */
export async function requireCommand(
  { command, cwd, env, found }: Pick<SpawnRequest, 'command' | 'cwd' | 'env' | 'found'>,
  platform = process.platform,
): Promise<void> {
  const search = { ...programSearch(command, env, platform), cwd };
  if (command === '' || !isCertain(command, search.path, platform)) return;
  const program = found ?? (await programFinder(platform)(search));
  if (!('code' in program) || program.code !== 'ENOENT') return;
  const suggestion = await findSimilarCommand(search, platform);
  throw commandNotFound(command, search.path ?? '', { suggestion, platform });
}

/** On Windows the result is certain, because a spawn gets the full path of the found file and does not search. */
function isCertain(command: string, path: string | undefined, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  if (!path) return false;
  return namesPlace(command, platform) ? isAbsolute(command) : path.split(delimiter).every(isAbsolute);
}
