import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, chown, link, lstat, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../errno.ts';
import { FileWriteError } from './file-errors.ts';
import { patientRename } from './patient-rename.ts';

export interface FileOwner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** The steps of a write that a disk can refuse. A test hands in some that fail. */
export interface Disk {
  readonly writeFile: typeof writeFile;
  readonly rename: typeof rename;
  readonly link: typeof link;
}

export interface WriteOptions {
  /** Permissions of the new file, less the umask. Default: its owner alone may read and write it. */
  readonly mode?: number;
  /** Whose file it becomes, with which rights, whatever the umask: those of the file that is replaced. */
  readonly owner?: FileOwner;
  /**
   * What a power cut that follows at once leaves: `new` (the default; an fsync of the file and one of its folder), `either`
   * the old or the new content, whole (an fsync of the file), or maybe `nothing` that can be read (no fsync).
   */
  readonly afterPowerCut?: 'new' | 'either' | 'nothing';
  /** Last question, asked once the new content is on disk: with false, nothing is replaced. */
  readonly mayReplace?: () => Promise<boolean>;
  /** Refuses to replace anything, with EEXIST. */
  readonly isNew?: boolean;
  readonly disk?: Disk;
}

const OWNER_ONLY = 0o600;
const nodeDisk: Disk = {
  writeFile,
  rename: process.platform === 'win32' ? patientRename(rename) : rename,
  link,
};
/** File systems without hard links (FAT, some shares) refuse one in these ways. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Writes a file in one step: whoever reads it, and whenever we are killed, it is the old or the new content, whole. The new
 * one is written to `<path>.tmp` first; what a killed run left there is removed. A symbolic link is replaced, not followed.
 * @returns false, with nothing changed, where `mayReplace` said no.
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
    disk = nodeDisk,
  }: WriteOptions = {},
): Promise<boolean> {
  const aside = asideOf(path);
  try {
    await rm(aside, { force: true });
    await disk.writeFile(aside, content, { mode, flag: 'wx', flush: afterPowerCut !== 'nothing' });
    if (owner !== undefined) await giveTo(aside, owner);
    if (mayReplace !== undefined && !(await mayReplace())) return false;
    await (isNew ? putNew(aside, path, disk) : disk.rename(aside, path));
  } catch (error) {
    throw error instanceof FileWriteError ? error : new FileWriteError(path, error);
  } finally {
    // A folder in its place cannot be removed, and was the reason why nothing was written.
    await rm(aside, { force: true }).catch(() => undefined);
  }
  if (afterPowerCut === 'new') await syncFolder(dirname(path));
  return true;
}

/**
 * As `writeAtomically`, where nobody can wait for the end of it, such as when a window closes. Without fsync, which could hold
 * up everything else for seconds. @throws FileWriteError
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

/** One name for each file, so that the next write finds what a killed one left. A file has one writer at a time. */
function asideOf(path: string): string {
  return `${path}.tmp`;
}

/** A link fails where there is something already, which a rename would replace. */
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
    // Giving a file away is for root alone; anyone else's copy belongs to themselves, which is the best there is.
    await chown(path, uid, gid).catch(() => undefined);
  }
  await chmod(path, mode);
}

/**
 * Makes the rename itself survive a power cut. Windows cannot open a folder, and needs no such step. What fails here is not
 * told: the new content is in its place, and nobody must hear that it was not written.
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
    // A folder, or a disk that lets nothing be removed either: the write has failed, and says so.
  }
}
