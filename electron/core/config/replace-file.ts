import { chmod, chown, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readSignature } from './file-content.ts';

const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;
const ANY_WRITE_BIT = 0o222;

export interface Replacement {
  /** May be a symbolic link: its target is replaced, and the link stays. */
  readonly path: string;
  readonly content: string;
  /** What the file holds now, and the signature under which it was read. */
  readonly previous: { readonly content: string; readonly signature: string };
  readonly backupPath: string;
}

/**
 * Replaces the content of a file in one step: whoever reads it, and whenever we are killed, it is the old or the new
 * content, whole. The old content is kept in `backupPath`. Mode and owner stay.
 * @returns 'conflict', with nothing changed, when somebody else has written the file since it was read.
 * @throws the system's error, with nothing changed.
 */
export async function replaceFile(replacement: Replacement): Promise<'written' | 'conflict'> {
  const target = await realpath(replacement.path);
  const { mode, uid, gid } = await checkWritable(target);
  const owner = { mode: mode & 0o777, uid, gid };
  const temporary = `${target}.tmp`;
  try {
    await writeSynced(temporary, replacement.content, owner);
    await writeBackup(replacement, owner);
    if ((await readSignature(replacement.path)) !== replacement.previous.signature) return 'conflict';
    await rename(temporary, target);
  } finally {
    // After the rename there is nothing to remove any more.
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(target));
  return 'written';
}

/** Creates a file that only its owner can read, and its folder. @throws EEXIST, or why it cannot be written. */
export async function createPrivateFile(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER_MODE });
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

interface FileOwner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** A rename needs no right to the file itself, and root needs none at all: a write protection is respected all the same. */
async function checkWritable(target: string): Promise<FileOwner> {
  for (const path of [dirname(target), target]) {
    const { mode } = await stat(path);
    if ((mode & ANY_WRITE_BIT) === 0)
      throw Object.assign(new Error(`${path} is read-only`), { code: 'EACCES' });
  }
  return stat(target);
}

async function writeBackup({ backupPath, previous }: Replacement, owner: FileOwner): Promise<void> {
  const temporary = `${backupPath}.tmp`;
  try {
    await writeSynced(temporary, previous.content, owner);
    await rename(temporary, backupPath);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeSynced(path: string, content: string, owner: FileOwner): Promise<void> {
  // One that an earlier, killed run left behind.
  await rm(path, { force: true });
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await giveTo(path, owner);
}

/** Keeps mode and owner of the file that is replaced. */
async function giveTo(path: string, { mode, uid, gid }: FileOwner): Promise<void> {
  const created = await stat(path);
  if (process.platform !== 'win32' && (created.uid !== uid || created.gid !== gid)) {
    // Only root may give a file away; anyone else's copy belongs to themselves, which is the best there is.
    await chown(path, uid, gid).catch(() => undefined);
  }
  await chmod(path, mode);
}

/** Makes the rename itself survive a power cut. Windows cannot open a folder, and needs no such step. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
