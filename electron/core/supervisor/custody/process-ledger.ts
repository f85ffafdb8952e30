import { isDeepStrictEqual } from 'node:util';
import type { Clock, Disposable } from '../../clock.ts';
import { describeErrno, systemErrorOf } from '../../files/file-errors.ts';
import type { ProcessIdentity } from '../../platform/process-table.ts';
import { ledgerPath, removeLedger, writeLedger, type LedgerRun } from './ledger-file.ts';

interface ProcessLedgerOptions {
  /** `<home>/ledger`; created with the first record. */
  readonly folder: string;
  /** Random letters and digits in the file's name, because pids are reused. */
  readonly fileId: string;
  readonly bootId: string;
  readonly ownPid: number;
  /** Identity of this panel. Nothing is written before it is known, or ever if it resolves to undefined. */
  readonly owner: Promise<ProcessIdentity | undefined>;
  readonly clock: Clock;
  /** Called with one sentence for the user when a write fails, and not again until a write has succeeded. */
  readonly onProblem: (message: string) => void;
}

/**
 * Delay in ms before a change of a run's processes is written, because they may change with every scan. If the panel dies
 * before the write, the missing processes are still found by their run's marker or as descendants.
 */
const DEBOUNCE_MS = 1000;

/** List of the panel's processes on disk, which the next panel uses if this one dies. Without runs there is no file. */
export class ProcessLedger {
  readonly #options: ProcessLedgerOptions;
  readonly #path: string;
  readonly #runs = new Map<string, LedgerRun>();
  #timer: Disposable | undefined;
  #isDirty = false;
  #writing: Promise<void> | undefined;
  #hasProblem = false;
  #isClosed = false;

  constructor(options: ProcessLedgerOptions) {
    this.#options = options;
    this.#path = ledgerPath(options.folder, options.ownPid, options.fileId);
  }

  /** Records the current state of the run with this marker. May be called before the spawn, without a group. */
  record(run: LedgerRun): void {
    const before = this.#runs.get(run.marker);
    if (this.#isClosed || isDeepStrictEqual(before, run)) return;
    this.#runs.set(run.marker, run);
    this.#isDirty = true;
    if (before && before.group?.pid === run.group?.pid) this.#writeSoon();
    else this.#writeNow();
  }

  forget(marker: string): void {
    if (this.#isClosed || !this.#runs.delete(marker)) return;
    this.#isDirty = true;
    this.#writeSoon();
  }

  /** Resolves when all records are on disk, or when the write has failed. */
  async flush(): Promise<void> {
    while (this.#isDirty || this.#writing) {
      this.#writeNow();
      await this.#writing;
    }
  }

  /** Writes pending changes and ignores later ones. Runs that are still recorded stay in the file for the next panel process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
  }

  #writeSoon(): void {
    this.#timer ??= this.#options.clock.setTimeout(() => this.#writeNow(), DEBOUNCE_MS);
  }

  #writeNow(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // Writes changes that were recorded between the last check of `#writeAll` and this moment.
      if (this.#isDirty) this.#writeNow();
    });
  }

  /** Writes one file at a time; changes in the meantime cause another write. */
  async #writeAll(): Promise<void> {
    while (this.#isDirty) {
      this.#isDirty = false;
      try {
        await this.#writeOnce();
        this.#hasProblem = false;
      } catch (error) {
        this.#report(error);
      }
    }
  }

  async #writeOnce(): Promise<void> {
    const { folder, bootId } = this.#options;
    const owner = await this.#options.owner;
    if (owner === undefined) return;
    if (this.#runs.size === 0) return removeLedger(this.#path);
    await writeLedger(this.#path, folder, { version: 1, bootId, owner, runs: [...this.#runs.values()] });
  }

  #report(error: unknown): void {
    if (this.#hasProblem) return;
    this.#hasProblem = true;
    const reason = describeErrno(systemErrorOf(error));
    this.#options.onProblem(`The list of running processes could not be written to ${this.#path}: ${reason}`);
  }
}
