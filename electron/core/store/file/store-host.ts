import type { Batch, FromWorker, OpenMessage, StoreRequest, ToWorker } from '../store-messages.ts';
import { readAudit } from './audit.ts';
import { readCallUsage } from './call-usage.ts';
import { HistoryFile } from './history-file.ts';
import {
  beginAnew,
  CHECKED_AT_ONCE_BYTES,
  isSound,
  isSoundAt,
  openFile,
  openStoreForReading,
  fileSizeOf,
  type Database,
  type Opened,
} from './open-file.ts';
import { readCalls } from './read-calls.ts';
import { readPastEvents } from './read-past-events.ts';
import { readSeries } from './read-series.ts';
import { readState } from './read-state.ts';
import { readTrend } from './read-trend.ts';
import { Retention } from './retention.ts';
import { inWords, isDamage, isPassing } from './sqlite-errors.ts';
import { takeOver } from './take-over.ts';

/**
 * Maximum number of times that a damaged file is replaced by a new one. If the new files are damaged as well, the disk is
 * probably the cause, and the history is kept only in memory.
 */
const MAX_REPLACEMENTS = 3;

/** An open file with its state. */
interface Held {
  readonly file: HistoryFile;
  readonly retention: Retention;
  /**
   * Ids of the events written in this app run. They are ignored when the journal is searched for the newest event that the file
   * already had. Undefined once the missing events of the journal have been added.
   */
  fresh: Set<string> | undefined;
  /** True if the file only answers queries. Each batch tries to reopen it for writing. */
  readonly isReadOnly: boolean;
}

/** Handles the main thread's messages in the worker, in order. A file that turns out to be damaged is renamed and replaced. */
export class StoreHost {
  readonly #post: (message: FromWorker) => void;
  readonly #load: (db: Database) => HistoryFile;
  #options: OpenMessage | undefined;
  #held: Held | undefined;
  #stuck: Batch | undefined;
  #replacements = 0;
  #now = 0;

  /** @param load reads the host's state from a database */
  constructor(
    post: (message: FromWorker) => void,
    load = (db: Database, now: number): HistoryFile => new HistoryFile(db, now),
  ) {
    this.#post = post;
    this.#load = (db) => load(db, this.#now);
  }

  handle(message: ToWorker): void {
    if ('now' in message) this.#now = message.now;
    if (message.kind === 'open') return this.#open(message);
    if (message.kind === 'write') return this.#write(message.batch);
    if (message.kind === 'retry') return this.#stuck && this.#write(this.#stuck);
    if (message.kind === 'ask') return this.#answer(message.id, message.question);
    if (message.kind === 'check') return this.#check();
    if (message.kind === 'inspect')
      return this.#post({ kind: 'inspected', isSound: isSoundAt(message.path) });
    this.#close();
  }

  #open(options: OpenMessage): void {
    this.#options = options;
    try {
      this.#opened(this.#begin());
    } catch (error) {
      const why = inWords(error);
      if (this.#beginReading()) return this.#opened({ problem: this.#isNotWritten(why) });
      const problem = `The history is kept only in memory, because ${options.path} is not usable: ${why}.`;
      this.#post({ kind: 'opened', isOpen: false, isLarge: false, isReadOnly: false, problem });
    }
  }

  #opened(problem: { problem?: string }): void {
    const isLarge = fileSizeOf(this.#options!.path) > CHECKED_AT_ONCE_BYTES;
    this.#post({ kind: 'opened', isOpen: true, isLarge, isReadOnly: this.#held!.isReadOnly, ...problem });
  }

  /** Opens or creates the file. @throws when no file is possible, or it cannot be written */
  #begin(): { problem?: string } {
    const { path } = this.#options!;
    return this.#hold(openFile(path, this.#now, this.#load));
  }

  /**
   * Makes an opened file the current one, and starts adding the missing events of the journal. @returns the problem to report,
   * if the file replaces an unusable one
   */
  #hold({ value: file, ...rest }: Opened<HistoryFile>): { problem?: string } {
    this.#held = this.#heldOf(file, false);
    void this.#takeOver(this.#held, false);
    return rest;
  }

  /** Opens the existing file read-only if writing is impossible. @returns whether that succeeded */
  #beginReading(): boolean {
    try {
      this.#held = this.#heldOf(openStoreForReading(this.#options!.path, this.#load), true);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Reopens a read-only file for writing. The reading connection is closed first, because SQLite shares the permissions of a
   * file among all connections of a process. @throws when the file still cannot be written
   */
  #beginWriting({ file }: Held): { problem?: string } {
    this.#held = undefined;
    file.abandon();
    try {
      return this.#begin();
    } catch (error) {
      this.#beginReading();
      throw error;
    }
  }

  #heldOf(file: HistoryFile, isReadOnly: boolean): Held {
    return { file, retention: new Retention(file, this.#options!.maxBytes), fresh: new Set(), isReadOnly };
  }

  async #takeOver(held: Held, isWhole: boolean): Promise<void> {
    const { file, fresh } = held;
    const find = file.db.prepare('SELECT 1 FROM events WHERE id = ?');
    try {
      await takeOver(file, {
        path: this.#options!.eventsPath,
        isKnown: (id) => fresh?.has(id) !== true && find.get(id) !== undefined,
        isWhole,
        isOver: () => this.#held !== held,
      });
      held.fresh = undefined;
    } catch (error) {
      // Other errors are ignored: a disk that is full now may have room at the next start, which continues from here.
      if (this.#held === held && isDamage(error)) this.#replace(error);
    }
  }

  #write(batch: Batch): void {
    this.#now = batch.at;
    this.#stuck = undefined;
    try {
      if (this.#held === undefined) this.#tell(this.#begin().problem);
      else if (this.#held.isReadOnly) this.#tell(this.#beginWriting(this.#held).problem);
    } catch (error) {
      return this.#keepForLater(batch, inWords(error));
    }
    const held = this.#held!;
    try {
      for (const { id } of batch.events) held.fresh?.add(id);
      held.file.write(batch);
      this.#post({ kind: 'written' });
      if (batch.hasLostEvents) void this.#takeOver(held, true);
    } catch (error) {
      if (isDamage(error) && this.#replace(error)) return this.#write(batch);
      if (isPassing(error) || this.#held === undefined) return this.#keepForLater(batch, inWords(error));
      this.#leaveOut(inWords(error));
    }
    this.#tidy(held);
  }

  #keepForLater(batch: Batch, why: string): void {
    this.#stuck = batch;
    this.#post({ kind: 'written', problem: this.#isNotWritten(why) });
  }

  #isNotWritten(why: string): string {
    return `The history cannot be written to ${this.#options?.path ?? 'its file'}: ${why}. What was written before is kept.`;
  }

  /** Drops a batch that can never be written, because it would block all later ones. */
  #leaveOut(why: string): void {
    this.#tell(`A second of the history could not be kept: ${why}.`);
    this.#post({ kind: 'written' });
  }

  #tidy({ retention }: Held): void {
    const wasFull = retention.isFull;
    try {
      retention.afterWrite();
    } catch (error) {
      // Other errors are ignored, such as a full disk, on which nothing can be deleted. The next batch reports the full disk.
      if (isDamage(error)) this.#replace(error);
    }
    if (!retention.isFull || wasFull) return;
    const mebibytes = Math.round(this.#options!.maxBytes / 1024 ** 2);
    const problem = `The history has reached its limit of ${mebibytes} MiB: the oldest minutes are removed, then quarter hours, then events.`;
    this.#tell(problem);
  }

  #answer(id: number, question: StoreRequest): void {
    const held = this.#held;
    if (held === undefined) return this.#post({ kind: 'refused', id });
    try {
      this.#post({ kind: 'answered', id, answer: this.#ask(held.file, question) });
    } catch (error) {
      if (isDamage(error) && this.#replace(error)) return this.#answer(id, question);
      this.#post({ kind: 'refused', id });
    }
  }

  #ask(file: HistoryFile, question: StoreRequest): unknown {
    if (question.about === 'series') return readSeries(file, question.query, this.#now);
    if (question.about === 'calls') return readCalls(file, question.query, this.#now);
    if (question.about === 'callUsage') return readCallUsage(file.db, question.query);
    if (question.about === 'audit') return readAudit(file.db, question.query);
    if (question.about === 'trend') return readTrend(file, question.query, this.#now);
    if (question.about === 'events') return readPastEvents(file.db, question.query);
    return readState(file, this.#options!.path);
  }

  #check(): void {
    const held = this.#held;
    if (held === undefined) return;
    try {
      if (!isSound(held.file.db)) this.#replace(undefined);
    } catch (error) {
      if (isDamage(error)) this.#replace(error);
    }
  }

  /** Renames the damaged file and creates another one. @returns whether there is a file now */
  #replace(error: unknown): boolean {
    const held = this.#held!;
    this.#held = undefined;
    this.#replacements += 1;
    try {
      held.file.abandon();
      if (this.#replacements > MAX_REPLACEMENTS) throw error;
      const why = error === undefined ? 'it is damaged' : inWords(error);
      this.#tell(this.#hold(beginAnew(this.#options!.path, this.#now, why, this.#load)).problem);
      return true;
    } catch (failure) {
      this.#tell(`The history is damaged, and a new one could not be started: ${inWords(failure)}.`);
      return false;
    }
  }

  #tell(problem: string | undefined): void {
    if (problem !== undefined) this.#post({ kind: 'problem', problem });
  }

  #close(): void {
    if (this.#stuck !== undefined) this.#write(this.#stuck);
    const held = this.#held;
    this.#held = undefined;
    try {
      held?.file.close();
    } catch {
      // Samples that could not be merged now remain in the file, and are merged at the next start.
    }
    this.#post({ kind: 'closed' });
  }
}
