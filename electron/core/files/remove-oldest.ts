import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../errno.ts';

/** Keeps the `maxFiles` most recently written files of a folder, and removes the others. @throws Error of the file system */
export async function removeOldest(folder: string, maxFiles: number): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length <= maxFiles) return;
  const files: { readonly path: string; readonly writtenMs: number }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    // A file that is being replaced may no longer exist.
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) files.push({ path, writtenMs: found.mtimeMs });
  }
  if (files.length <= maxFiles) return;
  const oldest = files.sort((one, other) => one.writtenMs - other.writtenMs).slice(0, -maxFiles);
  for (const { path } of oldest) await rm(path, { force: true });
}
