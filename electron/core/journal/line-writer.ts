import type { Clock, Disposable } from '../clock.ts';
import { settlesWithin } from '../wait.ts';

export interface LineWriterOptions {
  readonly clock: Clock;
  /** Writes whole lines to where they belong. Called for one text at a time. */
  readonly write: (text: string) => Promise<void>;
  /** The same, but blocking, for `flushSync`. Default: there is no such way. */
  readonly writeSync?: (text: string) => void;
  /** The line that stands for lines that were lost. */
  readonly lossLine: (lines: number) => string;
  /** Called once when writing fails, and not again before it has succeeded. */
  readonly onFailure: (error: unknown) => void;
}

/** Lines that come within this time are written together. */
const BATCH_MS = 100;
/** Bound of what waits for a slow disk; lines beyond it are dropped and counted. */
const MAX_WAITING_CHARACTERS = 256 * 1024;
/** The last write gets this long, because a disk that hangs must not keep the panel from ending. */
const DISPOSE_LIMIT_MS = 2000;

/** Writes lines in batches, off the caller's path, in bounded memory. Never throws into the caller. */
export class LineWriter {
  readonly #options: LineWriterOptions;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #lostLines = 0;
  #timer: Disposable | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;
  #isDisposed = false;

  constructor(options: LineWriterOptions) {
    this.#options = options;
  }

  /** @param line without its newline. */
  add(line: string): void {
    if (this.#isDisposed) return;
    if (this.#waitingCharacters + line.length > MAX_WAITING_CHARACTERS) {
      this.#lostLines += 1;
    } else {
      this.#waiting.push(line);
      this.#waitingCharacters += line.length + 1;
    }
    // While a batch is written, the next one gathers.
    if (!this.#writing) this.#startSoon();
  }

  /** Resolves when everything added so far is written or lost. */
  async flush(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) {
      this.#start();
      await this.#writing;
    }
  }

  /**
   * Writes what waits before it returns, because the process may be ended at the next moment. What cannot be written so
   * goes on waiting.
   */
  flushSync(): void {
    const { writeSync } = this.#options;
    if (writeSync === undefined || this.#waiting.length === 0) return;
    try {
      writeSync(`${this.#waiting.join('\n')}\n`);
    } catch {
      return; // The usual way tries again, and tells of it.
    }
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  /** Writes what waits, within two seconds, and takes nothing more. Idempotent. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await settlesWithin(this.#options.clock, this.flush(), DISPOSE_LIMIT_MS);
  }

  #start(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0 && !this.#isDisposed) this.#startSoon();
    });
  }

  #startSoon(): void {
    this.#timer ??= this.#options.clock.setTimeout(() => this.#start(), BATCH_MS);
  }

  async #writeBatch(): Promise<void> {
    const lines = this.#waiting;
    const lost = this.#lostLines;
    if (lines.length + lost === 0) return;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    this.#lostLines = 0;
    const all = lost > 0 ? [...lines, this.#options.lossLine(lost)] : lines;
    try {
      await this.#options.write(`${all.join('\n')}\n`);
      this.#isFailing = false;
    } catch (error) {
      // Lost lines are told with the next batch, which comes with the next line, because a full disk must not be asked again and again.
      this.#lostLines += lines.length + lost;
      if (!this.#isFailing) this.#options.onFailure(error);
      this.#isFailing = true;
    }
  }
}
