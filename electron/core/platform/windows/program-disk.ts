import { lstat, open, stat } from 'node:fs/promises';
import { errnoOf } from '../../errno.ts';

/** Kind of a path: `forbidden` means that it exists and cannot be run, because it is a folder, or not accessible to this user. */
export type ProgramLook = 'file' | 'forbidden' | 'absent';

/** Disk access for starting a program. */
export interface ProgramDisk {
  /** Returns the kind of a path. Never rejects. */
  look: (file: string) => Promise<ProgramLook>;
  /** Reads the first characters of a file, one per byte. Rejects with the system's error. */
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

/** Checks for a Store program (python, winget), a special link that can be started but not followed. */
async function lookAtAlias(file: string, error: unknown): Promise<ProgramLook> {
  const alias = await lstat(file).catch(() => undefined);
  if (alias !== undefined) return alias.isDirectory() ? 'forbidden' : 'file';
  return ['EACCES', 'EPERM'].includes(errnoOf(error) ?? '') ? 'forbidden' : 'absent';
}
