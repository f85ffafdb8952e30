import { closeSync, openSync, readlinkSync, readSync, readdirSync, statSync } from 'node:fs';
import { errnoOf } from '../../errno.ts';
import { setImmediate } from 'node:timers/promises';

/**
 * Read access to /proc; tests replace it by recorded files. Paths are relative to `/proc/`. Each method returns undefined if
 * the process is gone or not readable (`isOutOfSight`). @throws for errors that say nothing about the process, such as too many
 * open files
 */
export interface ProcFiles {
  read(path: string): string | undefined;
  list(path: string): readonly string[] | undefined;
  /** Returns a link's target. Never throws: errors prove nothing about the process (ENAMETOOLONG: the target is too long). */
  link(path: string): string | undefined;
  stat(path: string): { readonly uid: number; readonly size: number } | undefined;
}

const BUFFER_BYTES = 65_536;
/** A read of fewer bytes has certainly reached the end of the file: the kernel returns longer lists in reads of up to a page. */
const CERTAINLY_WHOLE_BYTES = 3072;

/**
 * Creates the access to /proc. Files are read synchronously, because /proc is in memory: a read takes about 7 µs, and ten times
 * that in the thread pool. The caller pauses between reads. Each file is opened again for each read. Keeping it open would
 * halve the time, but take two descriptors per process, which is too many for a limit that is 1024 on many systems.
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
 * System error codes that mean that a process is gone or may not be read. ENOENT: no such process (also if /proc is mounted
 * with hidepid=2), or no such file. ESRCH: the process ended during the read. EACCES, EPERM: the process belongs to another
 * user, so the panel may not end it. Other errors (EMFILE, ENFILE, no memory) are problems of the panel itself, and never mean
 * that a process is gone.
 */
const OUT_OF_SIGHT = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

export function isOutOfSight(error: unknown): boolean {
  return OUT_OF_SIGHT.includes(errnoOf(error) ?? '');
}

/**
 * Maximum number of reads and of processes in one slice of a pass over /proc. A slice takes about 1 ms; after it, the event
 * loop gets its turn, for input and for drawing.
 */
const READS_PER_SLICE = 150;
const PROCESSES_PER_SLICE = 50;

/** Divides one long pass over /proc into slices. There is one object per pass. */
export class Slices {
  #reads = 0;
  #processes = 0;

  /**
   * Counts a process for which `reads` reads are needed. Returns true if the caller must await `pause` before the next process.
   */
  isFullAfter(reads: number): boolean {
    this.#reads += reads;
    this.#processes += 1;
    return this.#reads >= READS_PER_SLICE || this.#processes >= PROCESSES_PER_SLICE;
  }

  async pause(): Promise<void> {
    this.#reads = 0;
    this.#processes = 0;
    await setImmediate();
  }
}
