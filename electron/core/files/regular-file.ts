import { appendFileSync, constants, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { errnoOf } from '../errno.ts';

/**
 * Why a file of the panel's home is not read or written: something else lies in its place (a named pipe, a socket, a
 * device, a folder), or it is larger than anything of ours. `message` is for people: "it is not a regular file".
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
 * Without O_NONBLOCK (absent on Windows), opening a named pipe would wait for its other end for ever, in one of the few
 * threads that do all of Node's file work. Symbolic links are followed: managers of dotfiles make them.
 */
const NON_BLOCKING = constants.O_NONBLOCK ?? 0;
const READING = constants.O_RDONLY | NON_BLOCKING;
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NON_BLOCKING;
const BYTES_PER_MIB = 1024 * 1024;

/** Opens a regular file for reading; the caller closes. @throws UnusableFileError, or the system's error */
export async function openForReading(path: string): Promise<FileHandle> {
  return requireRegular(await open(path, READING));
}

/** Opens or creates a regular file, to be written at its end and read; the caller closes. @throws as `openForReading` */
export async function openForAppending(path: string, mode: number): Promise<FileHandle> {
  return requireRegular(await open(path, APPENDING, mode).catch(toUnusable));
}

/** The whole of a regular file of at most `maxBytes`. @throws UnusableFileError, or the system's error ("ENOENT") */
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

/** The same as `readRegularFile`, but blocking; for use before there is anything that could wait for it. */
export function readRegularFileSync(path: string, maxBytes: number): Buffer {
  const file = openSync(path, READING);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw notRegular();
    if (stats.size > maxBytes) throw tooLarge(maxBytes);
    const bytes = Buffer.alloc(stats.size);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Appends to a regular file, which is created if need be; blocking. @throws as `openForReading` */
export function appendToRegularFileSync(path: string, text: string, mode: number): void {
  const file = openSync(path, APPENDING, mode);
  try {
    if (!fstatSync(file).isFile()) throw notRegular();
    appendFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The bytes from `start` to `end`, fewer where the file is shorter: one that grows meanwhile is not read to its end. */
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

/** What open(2) says of folders and sockets, and of named pipes that nobody reads. */
function toUnusable(error: unknown): never {
  const code = errnoOf(error);
  throw code === 'EISDIR' || code === 'ENXIO' ? notRegular() : error;
}
