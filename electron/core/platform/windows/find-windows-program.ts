import { win32 } from 'node:path';
import { namesPlace, type FoundProgram, type ProgramSearch } from '../program-search.ts';
import { lstat, open, stat } from 'node:fs/promises';
import { errnoOf } from '../../errno.ts';

/** Result of checking a path. `forbidden`: it exists but cannot be run, because it is a folder or this user has no access. */
type ProgramLook = 'file' | 'forbidden' | 'absent';

export interface ProgramDisk {
  look: (file: string) => Promise<ProgramLook>;
  /** Reads the first bytes of a file, each as one character (Latin-1). Rejects with the system's error. */
  readHead: (file: string) => Promise<string>;
}

const HEAD_BYTES = 256;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL']);

export const programDisk: ProgramDisk = {
  look: async (file) => {
    try {
      return (await stat(file)).isFile() ? 'file' : 'forbidden';
    } catch (error) {
      if (!ABSENT.has(errnoOf(error) ?? '')) return lookAtAlias(file, error);
      return 'absent';
    }
  },
  readHead: async (file) => {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  },
};

/**
 * Checks whether `file` is a Microsoft Store program (such as python or winget). Its file is a special link that can be
 * started, but whose target cannot be read.
 */
async function lookAtAlias(file: string, error: unknown): Promise<ProgramLook> {
  const alias = await lstat(file).catch(() => undefined);
  if (alias !== undefined) return alias.isDirectory() ? 'forbidden' : 'file';
  return ['EACCES', 'EPERM'].includes(errnoOf(error) ?? '') ? 'forbidden' : 'absent';
}

/** Suffixes that are tried even if PATHEXT lacks them, because the programs that start servers have one of them. */
const USUAL_SUFFIXES = ['.com', '.exe', '.bat', '.cmd'];

/**
 * Finds the file of `command` on Windows: searches the folders in PATH order, and in each folder the suffixes in PATHEXT order.
 * A file without such a suffix is used only if no other exists (`npx` is a script for `sh` next to `npx.cmd`). The working
 * folder is not searched, although Windows does so, because anyone who can write to that folder could then choose the program
 * that runs. Never rejects.
 */
export async function findWindowsProgram(
  { command, path = '', pathExt, cwd = '.' }: ProgramSearch,
  disk: Pick<ProgramDisk, 'look'> = programDisk,
): Promise<FoundProgram> {
  if (command === '') return { code: 'ENOENT' };
  const suffixes = suffixesOf(pathExt);
  const hasSuffix = [...suffixes, '.ps1'].includes(win32.extname(command).toLowerCase());
  const names = [...(hasSuffix ? [command] : []), ...suffixes.map((suffix) => command + suffix)];
  const folders = namesPlace(command, 'win32')
    ? [cwd]
    : foldersOf(path).map((folder) => win32.resolve(cwd, folder));
  const files = folders.flatMap((folder) => names.map((name) => win32.resolve(folder, name)));
  const plain = hasSuffix ? [] : folders.map((folder) => win32.resolve(folder, command));
  let code: 'ENOENT' | 'EACCES' = 'ENOENT';
  for (const file of [...files, ...plain]) {
    const seen = await disk.look(file);
    if (seen === 'file') return { file };
    if (seen === 'forbidden') code = 'EACCES';
  }
  return { code };
}

/** Returns the suffixes of programs, in lower case: those of PATHEXT, then the usual ones. */
export function suffixesOf(pathExt = ''): readonly string[] {
  const given = pathExt.toLowerCase().split(';');
  return [...new Set([...given.filter((suffix) => /^\.\w+$/.test(suffix)), ...USUAL_SUFFIXES])];
}

/** Splits a PATH into folders. A folder with a semicolon in its name is quoted; empty parts are skipped. */
export function foldersOf(path: string): readonly string[] {
  const parts = path.match(/(?:"[^"]*"|[^;])+/g) ?? [];
  return parts.map((part) => part.replaceAll('"', '').trim()).filter((folder) => folder !== '');
}
