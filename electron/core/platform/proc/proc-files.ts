import { closeSync, openSync, readlinkSync, readSync, readdirSync, statSync } from 'node:fs';

/** The few ways in which we look into /proc; a test puts recorded files in its place. Paths begin behind `/proc/`. */
export interface ProcFiles {
  /** The whole text, or undefined where it is missing, refused, or its process is gone. */
  read(path: string): string | undefined;
  list(path: string): readonly string[] | undefined;
  /** Where a symbolic link points. */
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
    link: (path) => orUndefined(() => readlinkSync(`${root}/${path}`)),
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

/** A process that ends between two reads answers ENOENT or ESRCH, a foreign one EACCES: all of it is "cannot be read". */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
