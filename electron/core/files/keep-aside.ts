import { MAX_FILE_BYTES } from './file-content.ts';
import { readRegularFile } from './regular-file.ts';
import { writeAtomically } from './write-atomically.ts';

/**
 * Copies an unusable file to `<path>.broken`, whatever it holds, so that a user can recover settings from it. Only the last copy
 * is kept. Without space or permission there is no copy: the original stays until the next write, which keeps it as `<path>.bak`.
 */
export async function keepAside(path: string): Promise<void> {
  try {
    await writeAtomically(`${path}.broken`, await readRegularFile(path, MAX_FILE_BYTES));
  } catch {
    // Not a regular file, too large or unreadable: the panel never overwrites such a file.
  }
}
