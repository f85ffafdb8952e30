import type { Clock, Disposable } from '../clock.ts';
import { settlesWithin } from '../wait.ts';

interface LineWriterOptions {
  readonly clock: Clock;
  /** Writes a text of whole lines to its destination. Not called again before the last call has settled. */
  readonly write: (text: string) => Promise<void>;
  /** Blocking variant of `write`, used by `flushSync`. If it is missing, `flushSync` writes nothing. */
  readonly writeSync?: (text: string) => void;
  /** Returns the line that replaces lost lines. */
  readonly lossLine: (lines: number) => string;
  /** Called once when writing fails, and again only after it has succeeded. */
  readonly onFailure: (error: unknown) => void;
}

/** Milliseconds within which lines are collected for one write. */
const BATCH_MS = 100;
/** Maximum characters that may wait for a slow disk; further lines are dropped and counted. */
const MAX_WAITING_CHARACTERS = 256 * 1024;
/**
 * Maximum milliseconds that `dispose` waits for the last write, because a hanging disk must not prevent the panel from ending.
 */
const DISPOSE_LIMIT_MS = 2000;

/** Writes lines in batches, asynchronously to its caller and in bounded memory. Never throws an error to the caller. */
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
    // Lines added during a write go into the next batch.
    if (!this.#writing) this.#startSoon();
  }

  /** Resolves when all lines added so far are written or lost. */
  async flush(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) {
      this.#start();
      await this.#writing;
    }
  }

  /** Writes queued lines to disk before it returns, as the process may be killed at any moment. On failure, they stay queued. */
  flushSync(): void {
    const { writeSync } = this.#options;
    if (writeSync === undefined || this.#waiting.length === 0) return;
    try {
      writeSync(`${this.#waiting.join('\n')}\n`);
    } catch {
      return; // The asynchronous write tries again, and reports the failure.
    }
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  /** Writes waiting lines, for at most two seconds. Lines added later are ignored. Idempotent. */
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
      // The number of lost lines is written with the next batch, which only a new line starts. So a full disk is not tried
      // again all the time.
      this.#lostLines += lines.length + lost;
      if (!this.#isFailing) this.#options.onFailure(error);
      this.#isFailing = true;
    }
  }
}
