import { rename, rm, writeFile } from 'node:fs/promises';
import { MAX_FILE_BYTES, type FileContent } from '../config/file-content.ts';
import { readRegularFile } from '../files/regular-file.ts';

const PRIVATE_FILE_MODE = 0o600;

/**
 * Copies a file that cannot be used to `<path>.broken`, whatever it holds, so that a person can take from it what was set.
 * The last one is kept. Where there is no room or right for a copy there is none: the original stands until the next write, and that goes on to `<path>.bak`.
 */
export async function keepAside(path: string, content: FileContent): Promise<void> {
  if (content.kind === 'gone') return;
  const aside = `${path}.broken`;
  try {
    const bytes = await readRegularFile(path, MAX_FILE_BYTES);
    await rm(`${aside}.tmp`, { force: true });
    await writeFile(`${aside}.tmp`, bytes, { mode: PRIVATE_FILE_MODE, flag: 'wx' });
    await rename(`${aside}.tmp`, aside);
  } catch {
    // No regular file, one of many megabytes, or one that may not be read: nothing of ours is ever written over it.
  }
}
