import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, chown, link, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../errno.ts';
import { FileWriteError } from './file-errors.ts';
import { setTimeout as pause } from 'node:timers/promises';

/** Error codes of Windows while another program (an editor, a scanner, an indexer) has the file open. */
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** Waits between attempts: long enough for a scanner, and short enough for a waiting user. */
const WAITS_MS = [10, 20, 50, 100, 200, 400];

/**
 * Returns a rename that retries while another program reads the target, because Windows refuses it meanwhile.
 * @param wait waits for a number of milliseconds
 */
export function patientRename(
  once: typeof rename,
  wait: (waitMs: number) => Promise<unknown> = pause,
): typeof rename {
  return async (from, to) => {
    for (const waitMs of WAITS_MS) {
      try {
        return await once(from, to);
      } catch (error) {
        if (!HELD.has(errnoOf(error) ?? '')) throw error;
        await wait(waitMs);
      }
    }
    return once(from, to);
  };
}

export interface FileOwner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Steps of a write that can fail on a full or faulty disk. A test passes functions that fail. */
export interface Disk {
  readonly writeFile: typeof writeFile;
  readonly rename: typeof rename;
  readonly link: typeof link;
}

interface WriteOptions {
  /** Permissions of the new file, reduced by the umask. Default: read and write for its owner only. */
  readonly mode?: number;
  /** Owner and permissions of the new file, regardless of the umask: those of the replaced file. */
  readonly owner?: FileOwner;
  /**
   * Guarantee after an immediate power cut. `new`: the file has the new content (default; fsync of file and folder). `either`:
   * it has the complete old or new content (fsync of the file). `nothing`: it may be unreadable (no fsync).
   */
  readonly afterPowerCut?: 'new' | 'either' | 'nothing';
  /** Final check, called once the new content is on disk; if it resolves to false, nothing is replaced. */
  readonly mayReplace?: () => Promise<boolean>;
  /** True if the file must not exist yet; the write then fails with EEXIST instead of replacing a file. */
  readonly isNew?: boolean;
  /** Path of the temporary file. Default: `<path>.tmp`; use another beside a file of a program that may itself use that path. */
  readonly aside?: string;
  readonly disk?: Disk;
}

const OWNER_ONLY = 0o600;
const nodeDisk: Disk = {
  writeFile,
  rename: process.platform === 'win32' ? patientRename(rename) : rename,
  link,
};
/** Error codes of file systems without hard links (FAT, some shares). */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Writes a file atomically: at any time, even if the panel is killed, it contains the complete old or new content. The new
 * content is first written to `<path>.tmp`, replacing the remains of a killed run. A symbolic link is replaced, not followed.
 * @returns false, with nothing changed, if `mayReplace` resolved to false.
 * @throws FileWriteError, with nothing changed. The folder must exist.
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  {
    mode = OWNER_ONLY,
    owner,
    afterPowerCut = 'new',
    mayReplace,
    isNew = false,
    aside = asideOf(path),
    disk = nodeDisk,
  }: WriteOptions = {},
): Promise<boolean> {
  try {
    await rm(aside, { force: true });
    await disk.writeFile(aside, content, { mode, flag: 'wx', flush: afterPowerCut !== 'nothing' });
    if (owner !== undefined) await giveTo(aside, owner);
    if (mayReplace !== undefined && !(await mayReplace())) return false;
    await (isNew ? putNew(aside, path, disk) : disk.rename(aside, path));
  } catch (error) {
    throw error instanceof FileWriteError ? error : new FileWriteError(path, error);
  } finally {
    // The removal fails if there is a folder with the temporary path. In that case the write has failed as well, and its error
    // is already reported.
    await rm(aside, { force: true }).catch(() => undefined);
  }
  if (afterPowerCut === 'new') await syncFolder(dirname(path));
  return true;
}

/**
 * Writes a file like `writeAtomically`, but synchronously, for callers that cannot wait, such as a closing app window. Omits
 * fsync, which could block for seconds. @throws FileWriteError
 */
export function writeAtomicallySync(path: string, content: string): void {
  const aside = asideOf(path);
  try {
    rmSync(aside, { force: true });
    writeFileSync(aside, content, { mode: OWNER_ONLY, flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    removeIfPossible(aside);
    throw new FileWriteError(path, error);
  }
}

/** Returns the file's fixed temporary path: a write replaces the remains of a killed one. Only for one writer at a time. */
function asideOf(path: string): string {
  return `${path}.tmp`;
}

/** Creates the file by a hard link, because a link fails if a file exists, while a rename would replace it. */
async function putNew(aside: string, path: string, disk: Disk): Promise<void> {
  try {
    await disk.link(aside, path);
  } catch (error) {
    if (!NO_LINKS.includes(errnoOf(error) ?? '')) throw error;
    if (await isThere(path)) throw Object.assign(new Error(`${path} exists`), { code: 'EEXIST' });
    await disk.rename(aside, path);
  }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function giveTo(path: string, { mode, uid, gid }: FileOwner): Promise<void> {
  const created = await stat(path);
  if (process.platform !== 'win32' && (created.uid !== uid || created.gid !== gid)) {
    // Only root can change the owner of a file. For other users, the new file belongs to the user that runs the panel.
    await chown(path, uid, gid).catch(() => undefined);
  }
  await chmod(path, mode);
}

/**
 * Makes the rename survive a power cut. Windows cannot open a folder, and does not need this step. Errors are ignored, because
 * the new content is in place, and must not be reported as unwritten.
 */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The temporary file cannot be removed, because it is a folder, or because the disk refuses that as well. The error of the
    // write itself is reported by the caller.
  }
}
