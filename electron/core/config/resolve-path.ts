import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** A path of a configuration as an absolute one: below `folder` unless it is absolute; `~` is the home of the person. */
export function resolveFrom(folder: string, path: string): string {
  return /^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
