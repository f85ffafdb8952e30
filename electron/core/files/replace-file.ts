import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readSignature } from './file-content.ts';
import { writeAtomically, type Disk, type FileOwner } from './write-atomically.ts';

const PRIVATE_FOLDER_MODE = 0o700;
const ANY_WRITE_BIT = 0o222;

interface Replacement {
  /** Path of the file. The target of a symbolic link is replaced, and the link stays. */
  readonly path: string;
  readonly content: string;
  /** Content of the file when it was read, and the signature from before that read, by which a later write is detected. */
  readonly previous: { readonly content: string; readonly signature: string };
  readonly backupPath: string;
  readonly disk?: Disk | undefined;
}

/**
 * Replaces the content of a file atomically. The old content is kept in `backupPath`. Mode and owner stay.
 * @returns 'conflict', with nothing changed, when the file was written since it was read.
 * @throws the system's error, or a FileWriteError with it, with nothing changed.
 */
export async function replaceFile(replacement: Replacement): Promise<'written' | 'conflict'> {
  const { path, content, previous, backupPath, disk } = replacement;
  const target = await realpath(path);
  const { mode, uid, gid } = await checkWritable(target);
  const options = { owner: { mode: mode & 0o777, uid, gid }, ...(disk && { disk }) };
  const mayReplace = async () => {
    // `either` is enough for the backup: after the replacement, `writeAtomically` calls fsync on the folder, which is usually
    // the same one, and so also makes the name of the backup survive a power cut.
    await writeAtomically(backupPath, previous.content, { ...options, afterPowerCut: 'either' });
    return (await readSignature(path)) === previous.signature;
  };
  return (await writeAtomically(target, content, { ...options, mayReplace })) ? 'written' : 'conflict';
}

/**
 * Creates a file that only its owner can read, and its folder.
 * @throws FileWriteError with EEXIST or another reason; or the system's error
 */
export async function createPrivateFile(path: string, content: string, disk?: Disk): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  await writeAtomically(path, content, { isNew: true, ...(disk && { disk }) });
}

/**
 * Throws EACCES if the file or its folder is read-only for everybody. The check is necessary because a rename replaces even a
 * read-only file, and root may write any file.
 */
export async function checkWritable(target: string): Promise<FileOwner & { readonly nlink: number }> {
  for (const path of [dirname(target), target]) {
    const { mode } = await stat(path);
    if ((mode & ANY_WRITE_BIT) === 0)
      throw Object.assign(new Error(`${path} is read-only`), { code: 'EACCES' });
  }
  return stat(target);
}
