import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lstatSync, renameSync } from 'node:fs';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../clock.ts';
import { SerialQueue } from '../serial-queue.ts';
import { delay } from '../wait.ts';
import { brokenError, contendedError, type FileProblem, isInUse, writeError } from './file-errors.ts';
import {
  encodeText,
  type FileContent,
  isSameContent,
  MAX_FILE_BYTES,
  pollFile,
  readContent,
} from './file-content.ts';
import { errnoOf } from '../errno.ts';
import { createPrivateFile, replaceFile } from './replace-file.ts';
import { type Disk, writeAtomically } from './write-atomically.ts';
import { readRegularFile } from './regular-file.ts';

/** Result of a parser: `broken` if no part of the file can be used. */
export type ParsedFile =
  { readonly kind: 'broken'; readonly problem: FileProblem } | { readonly kind: 'parsed' };

/** Result of one read of the file. */
interface Reading<P> {
  readonly content: FileContent;
  readonly parsed: P;
}

export interface FileChange<T> {
  readonly previous: T;
  readonly current: T;
  /** False when the file is unchanged, but the inputs of `parse` or `apply` have changed. */
  readonly isRewritten: boolean;
}

export interface EditedFileOptions<T, P extends ParsedFile> {
  /** Absolute path of the file. Beside it are `<path>.bak`, the content before the panel's last write, and, briefly, `*.tmp`. */
  readonly path: string;
  readonly clock: Clock;
  /** Parses the content, and interprets a missing or unreadable file. Must not throw. */
  readonly parse: (content: FileContent) => P;
  /** Returns the value in force after a reading. For a broken file that is the last value, together with the error. */
  readonly apply: (last: T, parsed: P) => T;
  /** Value in force before the first read. */
  readonly initial: T;
  /** Content with which a missing file is created at opening. If undefined, the file is not created. */
  readonly firstText?: string;
  /**
   * Returns the text from which an edit starts if the file is missing or broken. A missing file is then created, and a broken
   * one is also kept as `<path>.broken`. If undefined, an edit of such a file is refused.
   */
  readonly startOver?: (content: FileContent, inForce: T) => string;
  /** Called after every change of the value in force or of the error, by any writer, and before `edit` resolves. Must not throw. */
  readonly onChange: (change: FileChange<T>) => void;
  /** Called when a rewritten file leaves the value in force unchanged. Must not throw. */
  readonly onRewritten?: (() => void) | undefined;
  readonly disk?: Disk;
}

/**
 * Milliseconds between reads of a file that has a new problem. The problem is reported only if it persists, because an editor
 * without atomic writes briefly leaves half a file.
 */
const SETTLE_MS = 150;
const SETTLE_LOOKS = 3;
/** Maximum attempts to write. An attempt fails if another program writes the file between the panel's read and rename. */
const WRITE_ATTEMPTS = 5;

/** Opens the file and watches it until disposed. The caller disposes. Never rejects. */
export async function openEditedFile<T, P extends ParsedFile>(
  options: EditedFileOptions<T, P>,
): Promise<EditedFile<T, P>> {
  const { path, firstText, startOver, disk } = options;
  let reading = await read(options);
  if (reading.content.kind === 'gone' && firstText !== undefined) {
    // A failure is ignored here, because the following read reports that the file is missing.
    await createPrivateFile(path, firstText, disk).catch(() => undefined);
    reading = await read(options);
  }
  if (reading.parsed.kind === 'broken' && startOver !== undefined) await keepAside(path);
  return new EditedFile(options, reading);
}

/**
 * A file that both users and the panel edit: its last valid content is in force, outside edits are detected, and the panel's own
 * writes never overwrite them. Reads and writes run one after the other.
 */
export class EditedFile<T, P extends ParsedFile> {
  readonly #options: EditedFileOptions<T, P>;
  readonly #queue = new SerialQueue();
  readonly #poll: Disposable;
  /** Aborts waits and all later work. */
  readonly #disposed = new AbortController();
  #current: T;
  #content: FileContent;
  #isCheckQueued = false;

  constructor(options: EditedFileOptions<T, P>, { content, parsed }: Reading<P>) {
    this.#options = options;
    this.#current = options.apply(options.initial, parsed);
    this.#content = content;
    this.#poll = pollFile({ path: options.path, clock: options.clock, onTouched: () => this.check() });
  }

  /** Value in force: a new object after every change. */
  get current(): T {
    return this.#current;
  }

  /**
   * Applies `change` to the current text (without byte order mark) and writes the result. Resolves when the result is on disk
   * and in force. If another program edits the file meanwhile, `change` is called again with the new text. `change` may throw
   * to refuse the edit.
   * @throws what `change` throws; CONFIG_BROKEN while the file cannot be used or written; PERMISSION_DENIED
   */
  edit(change: (text: string, parsed: P) => string): Promise<void> {
    return this.#queue.run(() => this.#edit(change));
  }

  /**
   * Reads the file once all earlier edits are done. A file with a new problem is read again after a short wait, because the
   * problem may be temporary. Never rejects.
   */
  read(): Promise<Reading<P>> {
    return this.#queue.run(() => this.#readSettled());
  }

  /** Schedules a read, and recomputes the value in force. */
  check(): void {
    if (this.#isCheckQueued) return;
    this.#isCheckQueued = true;
    void this.#queue.run(async () => {
      this.#isCheckQueued = false;
      this.#adopt(await this.#readSettled());
    });
  }

  /** Stops watching. Idempotent. A running write is finished; later ones are refused. */
  dispose(): void {
    this.#disposed.abort();
    this.#poll.dispose();
  }

  async #readSettled(): Promise<Reading<P>> {
    let reading = await read(this.#options);
    for (let look = 0; look < SETTLE_LOOKS && this.#isBadNews(reading); look += 1) {
      await this.#settle();
      const next = await read(this.#options);
      if (isSameContent(next.content, reading.content)) return next;
      reading = next;
    }
    return reading;
  }

  /** True if the file is broken and this problem has not been reported yet. */
  #isBadNews({ parsed }: Reading<P>): boolean {
    if (this.#disposed.signal.aborted || parsed.kind !== 'broken') return false;
    return !isDeepStrictEqual(this.#options.apply(this.#current, parsed), this.#current);
  }

  #adopt({ content, parsed }: Reading<P>): void {
    if (this.#disposed.signal.aborted) return;
    const isRewritten = !isSameContent(content, this.#content);
    this.#content = content;
    const previous = this.#current;
    const current = this.#options.apply(previous, parsed);
    if (isDeepStrictEqual(current, previous)) {
      if (isRewritten) this.#options.onRewritten?.();
      return;
    }
    this.#current = current;
    this.#options.onChange({ previous, current, isRewritten });
  }

  /** Reads before each write, so that no outside edit is lost. */
  async #edit(change: (text: string, parsed: P) => string): Promise<void> {
    const { path } = this.#options;
    let failure: PanelError | undefined;
    for (let attempt = 0; attempt < WRITE_ATTEMPTS; attempt += 1) {
      if (this.#disposed.signal.aborted)
        throw new PanelError('CONFIG_BROKEN', `${basename(path)} is closed: the panel is quitting`);
      const reading = await this.#readSettled();
      this.#adopt(reading);
      try {
        if (await this.#write(reading, change)) return this.#adopt(await this.#readSettled());
      } catch (error) {
        if (!isInUse(error)) throw error;
        failure = error;
        await this.#settle();
      }
    }
    throw failure ?? contendedError(path);
  }

  /** Writes the result of `change`. @returns false when the file has changed since `reading` */
  async #write(reading: Reading<P>, change: (text: string, parsed: P) => string): Promise<boolean> {
    const { path, parse } = this.#options;
    const { content, parsed } = reading;
    const text = change(this.#textToEdit(reading), parsed);
    if (content.kind === 'text' && text === content.text) return true;
    if (parse({ kind: 'text', text, hasBom: false, signature: '' }).kind === 'broken')
      throw new Error(`an edit would have broken ${basename(path)}`);
    try {
      if (parsed.kind === 'broken') await keepAside(path);
      return await this.#put(content, text);
    } catch (error) {
      // Another program has created or removed the file since the read. The next attempt reads it again.
      if (['EEXIST', 'ENOENT'].includes(errnoOf(error) ?? '')) return false;
      throw writeError(path, error);
    }
  }

  #textToEdit({ content, parsed }: Reading<P>): string {
    const { path, startOver } = this.#options;
    if (content.kind === 'text' && parsed.kind === 'parsed') return content.text;
    if (startOver !== undefined) return startOver(content, this.#current);
    throw brokenError(path, parsed.kind === 'broken' ? parsed.problem : { message: 'it cannot be read' });
  }

  async #put(content: FileContent, text: string): Promise<boolean> {
    const { path, disk } = this.#options;
    switch (content.kind) {
      case 'gone':
        await createPrivateFile(path, text, disk);
        return true;
      case 'unreadable':
        // The content of an unreadable file is unknown, so the file is not overwritten.
        throw new Error(content.reason);
      case 'text': {
        const { hasBom, signature } = content;
        const previous = { content: encodeText(content.text, hasBom), signature };
        const replacement = { path, previous, content: encodeText(text, hasBom), backupPath: `${path}.bak` };
        return (await replaceFile({ ...replacement, disk })) === 'written';
      }
    }
  }

  #settle(): Promise<void> {
    return delay(this.#options.clock, SETTLE_MS, this.#disposed.signal);
  }
}

async function read<T, P extends ParsedFile>(options: EditedFileOptions<T, P>): Promise<Reading<P>> {
  const content = await readContent(options.path);
  return { content, parsed: options.parse(content) };
}

/**
 * Copies an unusable file to `<path>.broken`, so that the user can recover settings from it. Only the last copy is kept. If
 * there is no space or permission for the copy, only the original exists; the next write by the panel keeps that as
 * `<path>.bak`.
 */
async function keepAside(path: string): Promise<void> {
  try {
    await writeAtomically(`${path}.broken`, await readRegularFile(path, MAX_FILE_BYTES));
  } catch {
    // No copy is made of a file that is unreadable, too large or not a regular file. The panel never overwrites such a file.
  }
}

const MAX_KEPT = 20;

/**
 * Renames an unusable file to `<path>.aside`, or the first free `.aside-2` and so on, because the user may want it.
 * Synchronous, because it is rare, and its replacement follows immediately.
 * @returns the new path; undefined if the rename failed.
 */
export function setAside(path: string): string | undefined {
  for (let count = 1; count <= MAX_KEPT; count += 1) {
    const aside = count === 1 ? `${path}.aside` : `${path}.aside-${count}`;
    if (isThere(aside)) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return undefined; // The file is already gone, or its folder is not writable; in that case the file keeps its name.
    }
  }
  return undefined;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
