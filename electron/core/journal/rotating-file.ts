import { mkdirSync } from 'node:fs';
import { lstat, mkdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../errno.ts';
import { appendToRegularFileSync, openForAppending, UnusableFileError } from '../files/regular-file.ts';
import { setAside } from '../files/edited-file.ts';
import { messageOf } from '../../../shared/message-of.ts';

interface RotatingFileOptions {
  /** Absolute path of the current part. Older parts are stored next to it: `<path>.1` is the previous one, and so on. */
  readonly path: string;
  /**
   * Size limit of a part in bytes. A single larger text becomes its own part. A part that cannot be renamed keeps growing, up
   * to `MAX_GROWTH` times this limit.
   */
  readonly maxBytes: number;
  /** Number of parts on disk, including the current one; the oldest is removed first. */
  readonly maxFiles: number;
  /** Called with one sentence for the user if a non-regular file at the path was set aside or the parts cannot be renamed. */
  readonly onProblem: (message: string) => void;
  /** Renames a part. Default: the function of Node; tests pass one that fails. */
  readonly move?: typeof rename;
}

/**
 * Factor by which a part may exceed its limit if it cannot be renamed because another program keeps it open. Without this
 * limit, the part could fill the disk.
 */
const MAX_GROWTH = 8;
const NEWLINE = 10;
const OWNER_ONLY = 0o600;
const FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Append-only file that is divided into parts of limited size, readable only by its owner. Anything at its path that is not a
 * regular file is set aside. Methods must not be called concurrently.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  /** Size of the current part in bytes; undefined before it was first read, and after a failure. */
  #bytes: number | undefined;
  #isHeld = false;

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /**
   * Appends the text, and begins a new part first if the current one is full.
   * @param text whole lines.
   * @throws the system's error, after which a part of the text may have been written; or an error if the current part can
   * neither be renamed nor grow further.
   */
  async append(text: string): Promise<void> {
    const { path, maxBytes } = this.#options;
    const bytes = Buffer.byteLength(text);
    const found = this.#bytes ?? (await this.#look());
    this.#bytes = undefined;
    const isFull = found > 0 && found + bytes > maxBytes;
    const isRotated = isFull && (await this.#rotate());
    if (isFull && !isRotated && found + bytes > maxBytes * MAX_GROWTH)
      throw new Error(`${path} cannot be renamed, and is ${MAX_GROWTH} times as large as it should be`);
    const file = await openForAppending(path, OWNER_ONLY);
    try {
      await file.appendFile(text);
    } finally {
      await file.close();
    }
    this.#bytes = (isRotated ? 0 : found) + bytes;
  }

  /**
   * Appends before it returns, to the current part regardless of its size. Used for the last lines of a process that may be
   * killed at any moment. @throws the system's error
   */
  appendSync(text: string): void {
    mkdirSync(dirname(this.#options.path), FOLDER);
    appendToRegularFileSync(this.#options.path, text, OWNER_ONLY);
    if (this.#bytes !== undefined) this.#bytes += Buffer.byteLength(text);
  }

  /** Reads the current part's size. Ends an unfinished line that a killed panel left, so that the next line is separate. */
  async #look(): Promise<number> {
    await mkdir(dirname(this.#options.path), FOLDER);
    const file = await this.#openCurrent();
    try {
      const { size } = await file.stat();
      if (size === 0) return 0;
      const last = await file.read(Buffer.alloc(1), 0, 1, size - 1);
      if (last.buffer[0] === NEWLINE) return size;
      await file.appendFile('\n');
      return size + 1;
    } finally {
      await file.close();
    }
  }

  async #openCurrent(): Promise<FileHandle> {
    const { path, onProblem } = this.#options;
    try {
      return await openForAppending(path, OWNER_ONLY);
    } catch (error) {
      const aside = error instanceof UnusableFileError ? setAside(path) : undefined;
      if (aside === undefined) throw error;
      onProblem(`${path} could not be written: it was not a regular file. It is kept as ${aside}.`);
      return openForAppending(path, OWNER_ONLY);
    }
  }

  /**
   * Renames each part to the next number, up to the first number that is free. If none is free, the oldest part gets an extra
   * number, and is removed only after all other parts were renamed. If renaming a part fails, a number stays free, and the next
   * rotation continues there. On Windows, a file that another program keeps open cannot be renamed, and repeated attempts must
   * not lose a line.
   * @returns false if the current part could not be renamed
   */
  async #rotate(): Promise<boolean> {
    const { path, maxFiles, move = rename, onProblem } = this.#options;
    const places = partPaths({ path, maxFiles: maxFiles + 1 });
    const last = places.length - 1;
    try {
      const free = (await firstFree(places)) ?? (await discard(places[last]!), last);
      for (let index = free - 1; index >= 0; index -= 1)
        await move(places[index]!, places[index + 1]!).catch(ignoreMissing);
    } catch (error) {
      if (!this.#isHeld)
        onProblem(
          `${path} grows beyond its size: it or an older part cannot be renamed, mostly because another program has it open. (${messageOf(error)})`,
        );
      this.#isHeld = true;
      return false;
    }
    this.#isHeld = false;
    await discard(places[last]!);
    return true;
  }
}

/** Returns the index of the first path that does not exist; undefined if all exist. */
async function firstFree(places: readonly string[]): Promise<number | undefined> {
  for (const [index, place] of places.entries()) {
    const isFree = await lstat(place).then(
      () => false,
      (error: unknown) => errnoOf(error) === 'ENOENT',
    );
    if (isFree) return index;
  }
  return undefined;
}

/** Removes a part. Folders are set aside, because the panel did not create them. Failures are ignored. */
async function discard(part: string): Promise<void> {
  await rm(part, { force: true }).catch(() => setAside(part));
}

/** Returns the paths of the parts of a file, newest first. */
export function partPaths({
  path,
  maxFiles,
}: Pick<RotatingFileOptions, 'path' | 'maxFiles'>): readonly string[] {
  return Array.from({ length: maxFiles }, (_, index) => (index === 0 ? path : `${path}.${index}`));
}

function ignoreMissing(error: unknown): void {
  if (errnoOf(error) !== 'ENOENT') throw error;
}
