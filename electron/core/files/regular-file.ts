import { appendFileSync, constants, closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errnoOf } from '../errno.ts';

/**
 * Reason why a file of the data folder is not read or written: it is not a regular file (a named pipe, a socket, a device, a
 * folder), or it is too large. `message` is for users: "it is not a regular file".
 */
export class UnusableFileError extends Error {
  readonly reason: 'not-regular' | 'too-large';

  constructor(reason: UnusableFileError['reason'], message: string) {
    super(message);
    this.name = 'UnusableFileError';
    this.reason = reason;
  }
}

/**
 * Flag O_NONBLOCK, which Windows does not have. Without this flag, opening a named pipe would wait until another program opens
 * its other end, and would block one of the few threads that Node.js has for files. There is no flag against symbolic links,
 * because dotfile managers create them.
 */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;
const READING = constants.O_RDONLY | NON_BLOCKING;
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NON_BLOCKING;
const BYTES_PER_MIB = 1024 * 1024;

/** Opens a regular file for reading; the caller closes. @throws UnusableFileError, or the system's error */
export async function openForReading(path: string): Promise<FileHandle> {
  return requireRegular(await open(path, READING));
}

/** Opens or creates a regular file for appending and reading; the caller closes. @throws as `openForReading` */
export async function openForAppending(path: string, mode: number): Promise<FileHandle> {
  return requireRegular(await open(path, APPENDING, mode).catch(toUnusable));
}

/** Reads a whole regular file of at most `maxBytes`. @throws UnusableFileError, or the system's error ("ENOENT") */
export async function readRegularFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openForReading(path);
  try {
    const { size } = await file.stat();
    if (size > maxBytes) throw tooLarge(maxBytes);
    return await readSpan(file, 0, size);
  } finally {
    await file.close();
  }
}

/** Reads a file like `readRegularFile`, but blocking; for the app start, when no other work waits. */
export function readRegularFileSync(path: string, maxBytes: number): Buffer {
  return inRegularFileSync(path, (file, { size }) => {
    if (size > maxBytes) throw tooLarge(maxBytes);
    return readSpanSync(file, 0, size);
  });
}

/** Appends to a regular file, which is created if needed; blocking. @throws as `openForReading` */
export function appendToRegularFileSync(path: string, text: string, mode: number): void {
  inRegularFileSync(path, (file) => appendFileSync(file, text), APPENDING, mode);
}

/** Opens a regular file synchronously, by default to read, passes it to a function and closes it. @throws as `openForReading` */
export function inRegularFileSync<T>(
  path: string,
  use: (file: number, stats: Stats) => T,
  flags = READING,
  mode?: number,
): T {
  const file = openSync(path, flags, mode);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw notRegular();
    return use(file, stats);
  } finally {
    closeSync(file);
  }
}

/** Reads up to `length` bytes from `start`, or fewer if the file is shorter; blocking. */
export function readSpanSync(file: number, start: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, start));
}

/** Reads the bytes from `start` to `end`, or fewer if the file is shorter; growth of the file is ignored. */
export async function readSpan(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, end - start));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

export function tooLarge(maxBytes: number): UnusableFileError {
  const limit =
    maxBytes < BYTES_PER_MIB ? `${Math.round(maxBytes / 1024)} KiB` : `${maxBytes / BYTES_PER_MIB} MiB`;
  return new UnusableFileError('too-large', `it is larger than ${limit}`);
}

async function requireRegular(file: FileHandle): Promise<FileHandle> {
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw notRegular();
}

function notRegular(): UnusableFileError {
  return new UnusableFileError('not-regular', 'it is not a regular file');
}

/**
 * Throws an UnusableFileError for an error with which the system refuses to open a folder, a socket, or a named pipe without a
 * reader. Throws any other error unchanged.
 */
function toUnusable(error: unknown): never {
  const code = errnoOf(error);
  throw code === 'EISDIR' || code === 'ENXIO' ? notRegular() : error;
}
