import { statSync, type Stats } from 'node:fs';
import { inRegularFileSync, readSpanSync } from '../files/regular-file.ts';
import { MAX_STAMP_CHARACTERS, parseLine, stampIn, type KeptLine } from '../journal/line-form.ts';
import type { LineList } from './line-cursor.ts';

/** Consecutive lines of a file that are read together. */
interface Sheet {
  readonly start: number;
  end: number;
  /**
   * Position of the line before the first one, in microseconds. Positions of lines with equal timestamps are counted up from
   * it.
   */
  readonly beforeUs: number;
  readonly firstUs: number;
  lastUs: number;
}

/**
 * A range of a file whose timestamps never decrease. A new range begins where the clock was set back by more than a small step.
 */
type Run = Sheet[];

const SHEET_BYTES = 32 * 1024;
/** Bytes that are indexed together, because a file may be larger than the memory that may be used for reading it. */
const BLOCK_BYTES = 1024 * 1024;
const HEAD_BYTES = 64;
const NEWLINE = 10;
/**
 * Maximum microseconds of a small step. Timestamps of earlier panel versions have only milliseconds, and many lines of a burst
 * may have the same one.
 */
const SMALL_STEP_BACK_US = 1_000_000;

/**
 * One file of a rotated log: an index of its lines, which grows with the file, and its lines on demand. The object continues to
 * represent the file when the file is renamed. It is meant for a worker thread, because it reads synchronously.
 */
export class FilePart {
  path: string;
  readonly #runs: Run[] = [];
  #stats!: Stats;
  #head: Buffer = Buffer.alloc(0);
  #indexedBytes = 0;
  #lastUs: number;

  /**
   * @param afterUs position of the last line before this part, in microseconds
   * @throws the system's error, or an error if the path is not a regular file
   */
  constructor(path: string, afterUs: number) {
    this.path = path;
    this.#lastUs = afterUs;
    this.#grow();
  }

  get lastUs(): number {
    return this.#lastUs;
  }

  /** True if the file at this path is the file of this part, according to its metadata. */
  isUnchangedAt(path: string, stats: Stats): boolean {
    const { ino, dev, size, mtimeMs } = this.#stats;
    if (stats.ino !== ino || stats.dev !== dev || stats.size !== size || stats.mtimeMs !== mtimeMs)
      return false;
    this.path = path;
    return true;
  }

  /** Indexes appended lines if the file at this path is the file of this part. @throws the system's error */
  growAt(path: string, { ino, dev, size }: Stats): boolean {
    if (ino !== this.#stats.ino || dev !== this.#stats.dev || size < this.#indexedBytes) return false;
    // A new file may have the inode number of a removed one.
    if (!this.#isHeadOf(path)) return false;
    this.path = path;
    this.#grow();
    return true;
  }

  /** Lines of the part, as one list for each run of increasing timestamps. */
  lists(stream: string): readonly LineList<KeptLine>[] {
    return this.#runs.map((run) => ({
      stream,
      sheetCount: run.length,
      firstUs: (sheet) => run[sheet]!.firstUs,
      lastUs: (sheet) => run[sheet]!.lastUs,
      load: (sheet) => this.#load(run[sheet]!),
    }));
  }

  #isHeadOf(path: string): boolean {
    return inRegularFileSync(path, (file) => readSpanSync(file, 0, this.#head.length)).equals(this.#head);
  }

  #grow(): void {
    inRegularFileSync(this.path, (file, stats) => {
      this.#stats = stats;
      if (this.#head.length < HEAD_BYTES)
        this.#head = readSpanSync(file, 0, Math.min(stats.size, HEAD_BYTES));
      for (let blockBytes = BLOCK_BYTES; this.#indexedBytes < stats.size;) {
        const from = this.#indexedBytes;
        const bytes = readSpanSync(file, from, Math.min(stats.size - from, blockBytes));
        this.#index(bytes);
        if (bytes.length < blockBytes) return;
        // A line is longer than the block.
        if (this.#indexedBytes === from) blockBytes *= 2;
      }
    });
  }

  /** Indexes the bytes. Only whole lines are indexed, because the last line may be incomplete. */
  #index(bytes: Buffer): void {
    const base = this.#indexedBytes;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const stampUs = stampIn(bytes.toString('latin1', start, Math.min(end, start + MAX_STAMP_CHARACTERS)));
      if (stampUs !== undefined) this.#add(stampUs, base + start, base + end + 1);
      start = end + 1;
    }
    this.#indexedBytes = base + start;
  }

  #add(stampUs: number, start: number, end: number): void {
    const beforeUs = this.#lastUs;
    const atUs = placeBehind(beforeUs, stampUs);
    this.#lastUs = atUs ?? stampUs;
    let run = this.#runs.at(-1);
    if (!run || atUs === undefined) this.#runs.push((run = []));
    const sheet = run.at(-1);
    if (sheet && end - sheet.start <= SHEET_BYTES) {
      sheet.end = end;
      sheet.lastUs = this.#lastUs;
    } else {
      // The position of the first line of a run is its timestamp.
      const before = atUs === undefined ? -Infinity : beforeUs;
      run.push({ start, end, beforeUs: before, firstUs: this.#lastUs, lastUs: this.#lastUs });
    }
  }

  /**
   * Reads the lines of a sheet. If the file was replaced meanwhile, the result may have fewer lines than indexed, or other
   * lines.
   */
  #load({ start, end, beforeUs, firstUs }: Sheet): readonly KeptLine[] {
    let lastUs = beforeUs;
    const lines: KeptLine[] = [];
    for (const text of this.#read(start, end).split('\n')) {
      const line = parseLine(text);
      if (line === undefined) continue;
      lastUs = placeBehind(lastUs, line.atUs) ?? line.atUs;
      lines.push(lastUs === line.atUs ? line : { ...line, atUs: lastUs });
    }
    return lines.length > 0 ? lines : [lostLine(firstUs)];
  }

  #read(start: number, end: number): string {
    try {
      return inRegularFileSync(this.path, (file, { ino }) =>
        ino === this.#stats.ino ? readSpanSync(file, start, end - start).toString('utf8') : '',
      );
    } catch {
      return '';
    }
  }
}

/** Returns the stats of a regular file; undefined if it is missing or something else. */
export function statsOf(path: string): Stats | undefined {
  try {
    const stats = statSync(path);
    return stats.isFile() ? stats : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the position of a line with this timestamp after another line; undefined if the clock was set back between the two
 * lines.
 */
function placeBehind(beforeUs: number, stampUs: number): number | undefined {
  if (stampUs > beforeUs) return stampUs;
  return beforeUs - stampUs < SMALL_STEP_BACK_US ? beforeUs + 1 : undefined;
}

/** Placeholder for a line whose part was rotated away during the scan. */
function lostLine(atUs: number): KeptLine {
  return { atUs, generation: 0, source: 'panel', text: '(lines that are no longer kept)' };
}
