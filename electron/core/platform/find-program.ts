import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { errnoOf } from '../errno.ts';
import { namesPlace, type FindProgram, type FoundProgram, type ProgramSearch } from './program-search.ts';
import { findWindowsProgram } from './windows/find-windows-program.ts';

const DEFAULT_PATH = '/bin:/usr/bin';

/** Returns the function that searches for programs on `platform`. The returned function never rejects. */
export function programFinder(platform: NodeJS.Platform): FindProgram {
  return platform === 'win32' ? (search) => findWindowsProgram(search) : findProgram;
}

/** Finds the file that a spawn of `command` runs, by the rules of execvp(3). POSIX only. Never rejects. */
export async function findProgram({ command, path, cwd = '.' }: ProgramSearch): Promise<FoundProgram> {
  if (namesPlace(command, 'linux')) return lookAt(resolve(cwd, command));
  let code: 'ENOENT' | 'EACCES' = 'ENOENT';
  for (const folder of (path ?? DEFAULT_PATH).split(':')) {
    const found = await lookAt(join(isAbsolute(folder) ? folder : resolve(cwd, folder), command));
    if ('file' in found) return found;
    // A file without execute permission is skipped; EACCES is reported only if no other file is found.
    if (found.code === 'EACCES') code = 'EACCES';
  }
  return { code };
}

async function lookAt(file: string): Promise<FoundProgram> {
  try {
    if (!(await stat(file)).isFile()) return { code: 'EACCES' };
    await access(file, constants.X_OK);
    return { file };
  } catch (error) {
    return { code: errnoOf(error) === 'EACCES' ? 'EACCES' : 'ENOENT' };
  }
}
