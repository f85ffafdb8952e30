import { PassThrough, type Readable, type Writable } from 'node:stream';

export type OutputName = 'stdout' | 'stderr';

/** Maximum bytes of a log that are read again after a container has ended, in case the connection missed its last output. */
const CHEAP_BYTES = 1024 * 1024;

/** Connection to a container, which lasts until one of its streams ends. */
export interface ContainerLine {
  readonly input: Writable;
  readonly ended: Promise<void>;
  close(): void;
}

/** Outputs of one container or pod, without gaps or duplicates although the connection to it may be lost and made again. */
export abstract class BoxOutputs {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  protected heard: Readonly<Record<OutputName, HeardOutput>>;
  /** Connection or log that is being read; paused while an output is full. */
  protected source: { pause(): unknown; resume(): unknown } | undefined;

  /** @param from time from which output is delivered; empty for all output since the container's start */
  constructor(from: string) {
    this.heard = this.heardFrom(from);
  }

  /** Closes the outputs after the container has ended. @param isCertain whether its last output has been delivered */
  async finish(isCertain: boolean): Promise<void> {
    if (!isCertain || this.bytesSinceMark < CHEAP_BYTES)
      await this.readLog(false)
        .then((log) => ended(log))
        .catch(() => undefined); // A log that no longer exists has no further output.
    this.stdout.end();
    this.stderr.end();
  }

  /** Approximate number of bytes in the log from the last mark (a known position) up to the output received so far. */
  protected get bytesSinceMark(): number {
    return this.heard.stdout.bytesSinceMark + this.heard.stderr.bytesSinceMark;
  }

  protected heardFrom(time: string): Readonly<Record<OutputName, HeardOutput>> {
    return {
      stdout: new HeardOutput((part) => this.pass('stdout', part), time),
      stderr: new HeardOutput((part) => this.pass('stderr', part), time),
    };
  }

  /** Reads the log from where both outputs were received. @param follows whether output written later is read as well */
  protected async readLog(follows: boolean): Promise<Readable> {
    const { stdout, stderr } = this.heard;
    const since = stdout.since < stderr.since ? stdout.since : stderr.since;
    for (const output of [stdout, stderr]) output.logBegins();
    const log = await this.openLog(since, follows);
    this.source = log;
    return log;
  }

  /**
   * Opens the log; its entries must be passed to `heard`. @param since time from which the log is read; empty for its beginning
   */
  protected abstract openLog(since: string, follows: boolean): Promise<Readable>;

  protected pass(output: OutputName, part: Buffer): void {
    const { source } = this;
    if (this[output].write(part) || source === undefined) return;
    source.pause();
    this[output].once('drain', () => source.resume());
  }
}

/** Settles when a stream has ended or broken. */
export function ended(stream: Readable | Writable): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['end', 'close']) stream.once(event, resolve);
    // The error is ignored here, because the next check of the container's state shows what it means.
    stream.on('error', () => resolve());
  });
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Splits a line of a log with timestamps. `time` is in the log's notation; `said` is the rest, with its line feed. */
export function timedEntry(line: Buffer): { readonly time: string; readonly said: Buffer } {
  const space = line.indexOf(SPACE);
  return { time: line.toString('latin1', 0, space), said: line.subarray(space + 1) };
}

/** Position in the log of one output: the time of an entry that begins a line, and the number of lines before that entry. */
interface Mark {
  readonly time: string;
  readonly lines: number;
}

/**
 * Tracks how much of one output of a container was received. Its log is read after a disconnection, and thus fills the gap
 * without duplicates. Lines are counted instead of bytes, because engines replace bytes of long lines in their logs. The log is
 * read from the last mark (a known position in it), which advances as the log is read.
 */
export class HeardOutput {
  readonly #onPart: (part: Buffer) => void;
  #lines = 0;
  /** Bytes received of the current line. */
  #bytes = 0;
  /** Lines and bytes of the log that is being read, counted like `#lines` and `#bytes`. */
  #logLines = 0;
  #logBytes = 0;
  #logTime = '';
  #mark: Mark;
  /** Bytes received since the mark was set; the log contains about as many after the mark. */
  bytesSinceMark = 0;
  #isOpen = false;

  /** @param from time from which the log is read first; empty for its beginning */
  constructor(onPart: (part: Buffer) => void, from = '') {
    this.#onPart = onPart;
    this.#mark = { time: from, lines: 0 };
  }

  get since(): string {
    return this.#mark.time;
  }

  hear(part: Buffer): void {
    let from = 0;
    for (let at = part.indexOf(LINE_FEED); at >= 0; at = part.indexOf(LINE_FEED, from)) {
      this.#lines += 1;
      this.#bytes = 0;
      from = at + 1;
    }
    this.#bytes += part.length - from;
    this.bytesSinceMark += part.length;
    this.#onPart(part);
  }

  /** Must be called before a log is read that begins at `since` or earlier. */
  logBegins(): void {
    this.#isOpen = false;
    this.#logLines = this.#mark.lines;
    this.#logBytes = 0;
    this.#logTime = this.#mark.time;
  }

  /** Processes an entry of the log: a line, or a part of a long one. @param time time of the entry, as text that sorts by time */
  takeEntry(time: string, entry: Buffer): void {
    this.#isOpen ||= time >= this.#mark.time;
    if (!this.#isOpen) return;
    // The log can only be read from a time on. So among entries with the same time, only the first can serve as mark.
    if (this.#logBytes === 0 && time > this.#logTime) {
      this.#mark = { time, lines: this.#logLines };
      this.bytesSinceMark = 0;
    }
    this.#logTime = time;
    const missing = this.#missingOf(entry);
    if (entry.at(-1) === LINE_FEED) {
      this.#logLines += 1;
      this.#logBytes = 0;
    } else this.#logBytes += entry.length;
    if (missing.length > 0) this.hear(missing);
  }

  #missingOf(entry: Buffer): Buffer {
    if (this.#logLines < this.#lines) return entry.subarray(entry.length);
    const heard = this.#logLines === this.#lines ? Math.max(0, this.#bytes - this.#logBytes) : 0;
    // The line feed is passed on in any case, even if the log has fewer bytes of this line than were received.
    const end = entry.at(-1) === LINE_FEED ? entry.length - 1 : entry.length;
    return entry.subarray(Math.min(heard, end));
  }
}
