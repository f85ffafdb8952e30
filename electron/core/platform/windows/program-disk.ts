import { lstat, open, stat } from 'node:fs/promises';
import { errnoOf } from '../../errno.ts';

/** What a look at a path shows: `forbidden` is there and cannot be run, because it is a folder, or not for this user. */
export type ProgramLook = 'file' | 'forbidden' | 'absent';

/** The disk as far as starting a program asks it. */
export interface ProgramDisk {
  /** Never rejects. */
  look: (file: string) => Promise<ProgramLook>;
  /** The first characters of a file, one per byte. Rejects with an error of the system. */
  readHead: (file: string) => Promise<string>;
}

const HEAD_BYTES = 256;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL']);

/** The disk of this machine. */
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

/** A program of the Store is a link of a kind of its own, which can be started but not followed (python, winget). */
async function lookAtAlias(file: string, error: unknown): Promise<ProgramLook> {
  const alias = await lstat(file).catch(() => undefined);
  if (alias !== undefined) return alias.isDirectory() ? 'forbidden' : 'file';
  return ['EACCES', 'EPERM'].includes(errnoOf(error) ?? '') ? 'forbidden' : 'absent';
}
