import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Makes a path of a configuration absolute: relative to `folder`; `~` is the user's home folder. A path that begins with a
 * reference becomes absolute when the reference is resolved.
 */
export function resolveFrom(folder: string, path: string): string {
  if (path.startsWith('${')) return path;
  return /^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
