import { MAX_FILE_BYTES } from './file-content.ts';
import { readRegularFile } from './regular-file.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * Copies a file that cannot be used to `<path>.broken`, whatever it holds, so that a person can take from it what was set.
 * The last one is kept. Where there is no room or right for a copy there is none: the original stands until the next write, and that goes on to `<path>.bak`.
 */
export async function keepAside(path: string): Promise<void> {
  try {
    await writeAtomically(`${path}.broken`, await readRegularFile(path, MAX_FILE_BYTES));
  } catch {
    // No regular file, one of many megabytes, or one that may not be read: nothing of ours is ever written over it.
  }
}
