import { copyFile, chmod, rename } from 'node:fs/promises';
import type { FileContent } from '../config/file-content.ts';

const PRIVATE_FILE_MODE = 0o600;

/**
 * Copies a file that cannot be used to `<path>.broken`, whatever it holds, so that a person can take from it what was set.
 * The last one is kept. Where there is no room or right for a copy there is none: the original stands until the next write, and that goes on to `<path>.bak`.
 */
export async function keepAside(path: string, content: FileContent): Promise<void> {
  if (content.kind === 'gone') return;
  const aside = `${path}.broken`;
  try {
    await copyFile(path, `${aside}.tmp`);
    await chmod(`${aside}.tmp`, PRIVATE_FILE_MODE);
    await rename(`${aside}.tmp`, aside);
  } catch {
    // A folder, or a file that may not be read: nothing of ours is ever written over it.
  }
}
