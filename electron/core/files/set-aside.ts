import { lstatSync, renameSync } from 'node:fs';

const MAX_KEPT = 20;

/**
 * Renames what cannot be used to `<path>.aside`, or `.aside-2` and so on where there is one: a person may want it, and
 * nothing of ours waits for it. Synchronous, since it is rare, and what follows takes its place.
 * @returns the new path; undefined where nothing could be renamed.
 */
export function setAside(path: string): string | undefined {
  for (let count = 1; count <= MAX_KEPT; count += 1) {
    const aside = count === 1 ? `${path}.aside` : `${path}.aside-${count}`;
    if (isThere(aside)) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return undefined; // Gone already, or a folder that may not be written: it stays as it is.
    }
  }
  return undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
