import { closeSync, openSync, readlinkSync, readSync, readdirSync, statSync } from 'node:fs';
import { errnoOf } from '../../errno.ts';

/**
 * The few ways in which we look into /proc; a test puts recorded files in its place. Paths begin behind `/proc/`. Each is
 * undefined where there is nothing to see (`isOutOfSight`). @throws for what says nothing about the process looked at.
 */
export interface ProcFiles {
  /** The whole text. */
  read(path: string): string | undefined;
  list(path: string): readonly string[] | undefined;
  /** Where a symbolic link points. Never throws: it tells nobody's life or death, and a path may be too long to be told (ENAMETOOLONG). */
  link(path: string): string | undefined;
  /** Owner and size of a file or folder. */
  stat(path: string): { readonly uid: number; readonly size: number } | undefined;
}

const BUFFER_BYTES = 65_536;
/** A file of one record comes in one read. Lists come in reads of up to a page, so a long read may not be the last. */
const CERTAINLY_WHOLE_BYTES = 3072;

/**
 * Reads synchronously: /proc is memory, a read costs about 7 µs, and handing it to the thread pool costs ten times
 * that. The caller makes the pauses. The descriptors are not kept open: that would save half of the time, but take two
 * descriptors per process from a limit that is 1024 on many systems.
 */
export function createProcFiles(root = '/proc'): ProcFiles {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  return {
    read: (path) => orUndefined(() => readWhole(`${root}/${path}`, buffer)),
    list: (path) => orUndefined(() => readdirSync(`${root}/${path}`)),
    link: (path) => readLink(`${root}/${path}`),
    stat: (path) => orUndefined(() => statSync(`${root}/${path}`)),
  };
}

function readWhole(path: string, buffer: Buffer): string {
  const descriptor = openSync(path, 'r');
  try {
    let length = readSync(descriptor, buffer, 0, buffer.length, null);
    if (length < CERTAINLY_WHOLE_BYTES) return buffer.toString('utf8', 0, length);
    let text = '';
    for (; length > 0; length = readSync(descriptor, buffer, 0, buffer.length, null)) {
      text += buffer.toString('utf8', 0, length);
    }
    return text;
  } finally {
    closeSync(descriptor);
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isOutOfSight(error)) return undefined;
    throw error;
  }
}

/**
 * ENOENT: no such process (also where /proc is mounted with hidepid=2), or it has no such file. ESRCH: it ended while we
 * read. EACCES, EPERM: it is not ours to look at, and so not ours to end. Anything else is about us: without a free
 * descriptor (EMFILE, ENFILE) or memory, nobody may be taken for gone.
 */
const OUT_OF_SIGHT = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

/** Whether a look into /proc failed because there is nothing to see for us. */
export function isOutOfSight(error: unknown): boolean {
  return OUT_OF_SIGHT.includes(errnoOf(error) ?? '');
}
