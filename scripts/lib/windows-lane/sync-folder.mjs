import { copyFileSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes `to` a copy of `from`: copies only files whose size or time differs, and deletes what `from` lacks. Names in `except`
 * are ignored on both sides, at the top level only. A link is copied as its target.
 * @param {string} from @param {string} to @param {ReadonlySet<string>} [except]
 * @returns {number} how many files were copied or deleted
 */
export function syncFolder(from, to, except = new Set()) {
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).filter((name) => !except.has(name));
  const wanted = new Set(names);
  const stale = readdirSync(to).filter((name) => !except.has(name) && !wanted.has(name));
  for (const name of stale) rmSync(join(to, name), { recursive: true });
  return names.reduce((sum, name) => sum + syncEntry(join(from, name), join(to, name)), stale.length);
}

/** @param {string} from @param {string} to @returns {number} */
function syncEntry(from, to) {
  const source = statSync(from, { throwIfNoEntry: false });
  if (source === undefined) return 0; // A dangling link, or deleted in the meantime.
  const target = statSync(to, { throwIfNoEntry: false });
  if (target !== undefined && target.isDirectory() !== source.isDirectory()) rmSync(to, { recursive: true });
  if (source.isDirectory()) return syncFolder(from, to);
  if (!source.isFile()) return 0;
  // Compared as dates, which have whole milliseconds like the time set on the copy below.
  const isSame = target?.size === source.size && target.mtime.getTime() === source.mtime.getTime();
  if (isSame) return 0;
  copyFileSync(from, to);
  utimesSync(to, source.atime, source.mtime);
  return 1;
}
