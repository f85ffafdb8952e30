import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../clock.ts';
import { SerialQueue } from '../serial-queue.ts';
import { delay } from '../wait.ts';
import { brokenError, contendedError, isInUse, writeError, type FileProblem } from './edit-errors.ts';
import { encodeText, isSameContent, readContent, type FileContent } from './file-content.ts';
import { errnoOf } from '../errno.ts';
import { pollFile } from './file-poll.ts';
import { keepAside } from './keep-aside.ts';
import { createPrivateFile, replaceFile } from './replace-file.ts';
import type { Disk } from './write-atomically.ts';

/** What a parser makes of a file: `broken` where nothing of it can be used. */
export type ParsedFile =
  { readonly kind: 'broken'; readonly problem: FileProblem } | { readonly kind: 'parsed' };

/** One look at the file. */
export interface Reading<P> {
  readonly content: FileContent;
  readonly parsed: P;
}

export interface FileChange<T> {
  readonly previous: T;
  readonly current: T;
  /** False: the file is as it was, and what `parse` or `apply` goes by has changed. */
  readonly isRewritten: boolean;
}

export interface EditedFileOptions<T, P extends ParsedFile> {
  /** Absolute. Beside it stand `<path>.bak`, the content before the last write of ours, and, for moments, `*.tmp`. */
  readonly path: string;
  readonly clock: Clock;
  /** Reads the content, and says what it means that there is no file, or none that can be read. Must not throw. */
  readonly parse: (content: FileContent) => P;
  /** What is in force after a reading, a plain value: of a broken file what was in force before, with the error. */
  readonly apply: (last: T, parsed: P) => T;
  /** In force before the file was ever read. */
  readonly initial: T;
  /** What a missing file is created with at the opening. Absent: none is. */
  readonly firstText?: string;
  /**
   * The text that an edit starts from where there is no file, which it then creates, or a broken one, which is kept as
   * `<path>.broken`, too. Absent: an edit of such a file is refused.
   */
  readonly startOver?: (content: FileContent, inForce: T) => string;
  /** Called after every change of what is in force or of the error, whoever wrote it, and before `edit` resolves. Must not throw. */
  readonly onChange: (change: FileChange<T>) => void;
  /** The file says the same in other words: what is in force stays. Must not throw. */
  readonly onRewritten?: (() => void) | undefined;
  readonly disk?: Disk;
}

/** An editor that does not replace its files in one step shows half of them for a moment. */
const SETTLE_MS = 150;
const SETTLE_LOOKS = 3;
/** How often somebody else may write between our reading and our renaming before we give up. */
const WRITE_ATTEMPTS = 5;

/** Opens the file and watches it until disposed. The caller disposes. Never rejects. */
export async function openEditedFile<T, P extends ParsedFile>(
  options: EditedFileOptions<T, P>,
): Promise<EditedFile<T, P>> {
  const { path, firstText, startOver, disk } = options;
  let reading = await read(options);
  if (reading.content.kind === 'gone' && firstText !== undefined) {
    // Where it cannot be created, the error of the reading says that it is not there.
    await createPrivateFile(path, firstText, disk).catch(() => undefined);
    reading = await read(options);
  }
  if (reading.parsed.kind === 'broken' && startOver !== undefined) await keepAside(path);
  return new EditedFile(options, reading);
}

/**
 * A file that both people and the panel edit: its last good content is in force, edits from outside are noticed, and ours
 * are careful. Reads and writes happen one after the other.
 */
export class EditedFile<T, P extends ParsedFile> {
  readonly #options: EditedFileOptions<T, P>;
  readonly #queue = new SerialQueue();
  readonly #poll: Disposable;
  /** Ends waits, and everything that is to come. */
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

  /** What is in force now: a new value after every change. */
  get current(): T {
    return this.#current;
  }

  /**
   * Writes what `change` makes of the text (without byte order mark); resolves when it is on disk and in force. Whatever
   * somebody else wrote a moment ago is read before, so `change` may be called again, and throws to refuse.
   * @throws what `change` throws; CONFIG_BROKEN while the file cannot be used or written; PERMISSION_DENIED
   */
  edit(change: (text: string, parsed: P) => string): Promise<void> {
    return this.#queue.run(() => this.#edit(change));
  }

  /** What stands on disk, after the edits before; bad news is believed only when it lasts. Never rejects. */
  read(): Promise<Reading<P>> {
    return this.#queue.run(() => this.#readSettled());
  }

  /** Has the file looked at soon, and what is in force worked out anew. */
  check(): void {
    if (this.#isCheckQueued) return;
    this.#isCheckQueued = true;
    void this.#queue.run(async () => {
      this.#isCheckQueued = false;
      this.#adopt(await this.#readSettled());
    });
  }

  /** Stops watching. Idempotent. A write under way is still finished; later ones are refused. */
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

  /** Whether a reading is broken in another way than the one that is known already. */
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

  /** Reads before it writes: what somebody else wrote a moment ago is never lost. */
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

  /** @returns false when the file has changed since `reading`. */
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
      // Made, or gone, between reading and writing: the next look says so.
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
        // Nobody knows what it holds, so nothing is written over it.
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
