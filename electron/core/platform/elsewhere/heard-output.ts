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
