import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Makes a path from a configuration absolute. A relative path starts from `folder`, and `~` is the user's home folder. A path
 * that begins with a reference (`${…}`) is returned unchanged; it becomes absolute once the reference is replaced by its value.
 */
export function resolveFrom(folder: string, path: string): string {
  if (path.startsWith('${')) return path;
  return /^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
