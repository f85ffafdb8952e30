import { PassThrough, type Readable, type Writable } from 'node:stream';

export type OutputName = 'stdout' | 'stderr';

/** Most bytes that are read of a log once more, for what a container may have said at its end. */
const CHEAP_BYTES = 1024 * 1024;

/** Connection to a container until one of its streams ends. */
export interface ContainerLine {
  readonly input: Writable;
  readonly ended: Promise<void>;
  close(): void;
}

/** Outputs of one container or pod, over all its connections: nothing is missing, and nothing comes twice. */
export abstract class BoxOutputs {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  protected heard: Readonly<Record<OutputName, HeardOutput>>;
  /** What is read now: it rests while an output is full. */
  protected source: { pause(): unknown; resume(): unknown } | undefined;

  /** @param from time from which the outputs count; empty for all since the container's start */
  constructor(from: string) {
    this.heard = this.heardFrom(from);
  }

  /** Ends the outputs of a container that has ended. @param isCertain whether its last words came over the connection */
  async finish(isCertain: boolean): Promise<void> {
    if (!isCertain || this.bytesSinceMark < CHEAP_BYTES)
      await this.readLog(false)
        .then((log) => ended(log))
        .catch(() => undefined); // A log that is gone has no more to say.
    this.stdout.end();
    this.stderr.end();
  }

  /** Bytes heard that the log has from its mark on, about. */
  protected get bytesSinceMark(): number {
    return this.heard.stdout.bytesSinceMark + this.heard.stderr.bytesSinceMark;
  }

  protected heardFrom(time: string): Readonly<Record<OutputName, HeardOutput>> {
    return {
      stdout: new HeardOutput((part) => this.pass('stdout', part), time),
      stderr: new HeardOutput((part) => this.pass('stderr', part), time),
    };
  }

  /** Reads the log from where both outputs are known. @param follows whether it goes on with what is said later */
  protected async readLog(follows: boolean): Promise<Readable> {
    const { stdout, stderr } = this.heard;
    const since = stdout.since < stderr.since ? stdout.since : stderr.since;
    for (const output of [stdout, stderr]) output.logBegins();
    const log = await this.openLog(since, follows);
    this.source = log;
    return log;
  }

  /** Opens the log, whose entries `heard` takes. @param since time of its first entry; empty for its beginning */
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
    // The next look at the container tells what it means.
    stream.on('error', () => resolve());
  });
}

const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** Cuts a line of a log that is read with its times: `time` as the log writes it, `said` with its line feed. */
export function timedEntry(line: Buffer): { readonly time: string; readonly said: Buffer } {
  const space = line.indexOf(SPACE);
  return { time: line.toString('latin1', 0, space), said: line.subarray(space + 1) };
}

/** Place in the log of an output: the time of an entry that begins a line, and how many lines stand before it. */
interface Mark {
  readonly time: string;
  readonly lines: number;
}

/**
 * How much of one output of a container has been heard, so that its log, read after a cut, gives what is missing and nothing
 * twice. Lines are counted rather than bytes, because engines replace bytes of long lines in their logs. The log is read from
 * the last mark on, which grows with what is read.
 */
export class HeardOutput {
  readonly #onPart: (part: Buffer) => void;
  #lines = 0;
  /** Bytes of the line that has begun. */
  #bytes = 0;
  /** The same of the log that is being read. */
  #logLines = 0;
  #logBytes = 0;
  #logTime = '';
  #mark: Mark;
  /** Bytes heard since the mark was set: about as many as the log has from there on. */
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

  /** A log that is read from `since`, or an earlier time, on begins. */
  logBegins(): void {
    this.#isOpen = false;
    this.#logLines = this.#mark.lines;
    this.#logBytes = 0;
    this.#logTime = this.#mark.time;
  }

  /** Takes an entry of the log: one line, or a part of a long one. @param time of the entry, as text that sorts by time */
  takeEntry(time: string, entry: Buffer): void {
    this.#isOpen ||= time >= this.#mark.time;
    if (!this.#isOpen) return;
    // Of entries of one time only the first can be found again.
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
    // The end of a line is passed on also where the log has fewer bytes of it than were heard.
    const end = entry.at(-1) === LINE_FEED ? entry.length - 1 : entry.length;
    return entry.subarray(Math.min(heard, end));
  }
}
