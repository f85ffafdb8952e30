import { access, constants, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';

export interface ProgramSearch {
  readonly command: string;
  /** PATH of the child; the system's own default where it has none. */
  readonly path: string | undefined;
  /** Folder of the child. Default: ours. */
  readonly cwd?: string | undefined;
}

/** The code is what a spawn would fail with. */
export type FoundProgram = { readonly file: string } | { readonly code: 'ENOENT' | 'EACCES' };

const DEFAULT_PATH = '/bin:/usr/bin';

export type FindProgram = (search: ProgramSearch) => Promise<FoundProgram>;

/** The file that a spawn of `command` runs, found as execvp(3) does. POSIX only. Never rejects. */
export async function findProgram({ command, path, cwd = '.' }: ProgramSearch): Promise<FoundProgram> {
  if (command.includes('/')) return lookAt(resolve(cwd, command));
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
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return { code: isForbidden ? 'EACCES' : 'ENOENT' };
  }
}
