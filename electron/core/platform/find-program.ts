import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { errnoOf } from '../errno.ts';
import { namesPlace, type FindProgram, type FoundProgram, type ProgramSearch } from './program-search.ts';
import { findWindowsProgram } from './windows/find-windows-program.ts';

const DEFAULT_PATH = '/bin:/usr/bin';

/** How programs are found on `platform`. What it gives never rejects. */
export function programFinder(platform: NodeJS.Platform): FindProgram {
  return platform === 'win32' ? (search) => findWindowsProgram(search) : findProgram;
}

/** The file that a spawn of `command` runs, found as execvp(3) does. POSIX only. Never rejects. */
export async function findProgram({ command, path, cwd = '.' }: ProgramSearch): Promise<FoundProgram> {
  if (namesPlace(command, 'linux')) return lookAt(resolve(cwd, command));
  let code: 'ENOENT' | 'EACCES' = 'ENOENT';
  for (const folder of (path ?? DEFAULT_PATH).split(':')) {
    const found = await lookAt(join(isAbsolute(folder) ? folder : resolve(cwd, folder), command));
    if ('file' in found) return found;
    // One that may not be run is passed over, and named only where there is no other.
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
