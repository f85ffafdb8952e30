import { lstatSync, renameSync } from 'node:fs';

const MAX_KEPT = 20;

/**
 * Renames an unusable file to `<path>.aside`, or the first free `.aside-2` and so on, because a user may want it. Synchronous,
 * since it is rare, and its replacement follows at once.
 * @returns the new path; undefined where the rename failed.
 */
export function setAside(path: string): string | undefined {
  for (let count = 1; count <= MAX_KEPT; count += 1) {
    const aside = count === 1 ? `${path}.aside` : `${path}.aside-${count}`;
    if (isThere(aside)) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return undefined; // Already gone, or in a folder without write permission: it stays unchanged.
    }
  }
  return undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
