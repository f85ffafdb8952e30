import { statSync, type Stats } from 'node:fs';
import { inRegularFileSync, readSpanSync } from '../files/regular-file.ts';
import { MAX_STAMP_CHARACTERS, parseLine, stampIn, type KeptLine } from '../journal/line-form.ts';
import type { LineList } from './line-cursor.ts';

/** Consecutive lines of a file that are read together. */
interface Sheet {
  readonly start: number;
  end: number;
  /** Time of the line before the sheet, in microseconds. Lines with equal timestamps get unique times by counting up from it. */
  readonly beforeUs: number;
  readonly firstUs: number;
  lastUs: number;
}

/** Consecutive sheets of a file in which times never decrease. A new run begins where the clock went back a second or more. */
type Run = Sheet[];

const SHEET_BYTES = 32 * 1024;
/** Bytes that are indexed together, because a file may be larger than the memory that may be used for reading it. */
const BLOCK_BYTES = 1024 * 1024;
const HEAD_BYTES = 64;
const NEWLINE = 10;
/**
 * Limit in microseconds: if a timestamp is earlier than the time of the line before by less than this, the line gets the next
 * microsecond. Timestamps of earlier panel versions have only milliseconds, so that many lines of a burst have the same one and
 * are counted up.
 */
const SMALL_STEP_BACK_US = 1_000_000;

/**
 * One file of a rotated log. It has an index of the file's lines, which grows with the file, and loads lines when they are
 * needed. If the file is renamed, the object still stands for the same file. Use it only in a worker thread, because it reads
 * synchronously.
 */
export class FilePart {
  path: string;
  readonly #runs: Run[] = [];
  #stats!: Stats;
  #head: Buffer = Buffer.alloc(0);
  #indexedBytes = 0;
  #lastUs: number;

  /**
   * Opens the file and indexes its lines.
   * @param afterUs time of the last line before this file, in microseconds
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

  /** True if the path leads to the file of this object, and the file has not changed according to its metadata. */
  isUnchangedAt(path: string, stats: Stats): boolean {
    const { ino, dev, size, mtimeMs } = this.#stats;
    if (stats.ino !== ino || stats.dev !== dev || stats.size !== size || stats.mtimeMs !== mtimeMs)
      return false;
    this.path = path;
    return true;
  }

  /**
   * If the path leads to the file of this object, indexes the lines that were appended to it and returns true; otherwise
   * returns false. @throws the system's error
   */
  growAt(path: string, { ino, dev, size }: Stats): boolean {
    if (ino !== this.#stats.ino || dev !== this.#stats.dev || size < this.#indexedBytes) return false;
    // The inode number alone does not prove that it is the same file, because a new file may get the number of a removed one.
    if (!this.#isHeadOf(path)) return false;
    this.path = path;
    this.#grow();
    return true;
  }

  /** Returns the lines of the file, one list for each run of increasing times. */
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
        // Not even one line ended within the block, so a larger block is read next.
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
      // In a new run, nothing is counted up from the line before: the first line's time is its timestamp.
      const before = atUs === undefined ? -Infinity : beforeUs;
      run.push({ start, end, beforeUs: before, firstUs: this.#lastUs, lastUs: this.#lastUs });
    }
  }

  /** Reads the lines of a sheet. If the file was replaced meanwhile, there may be fewer lines than indexed, or other lines. */
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

/** Returns the unique time of a line stamped `stampUs` after one at `beforeUs`; undefined if the clock was set back between. */
function placeBehind(beforeUs: number, stampUs: number): number | undefined {
  if (stampUs > beforeUs) return stampUs;
  return beforeUs - stampUs < SMALL_STEP_BACK_US ? beforeUs + 1 : undefined;
}

/** Placeholder for a line whose part was rotated away during the scan. */
function lostLine(atUs: number): KeptLine {
  return { atUs, generation: 0, source: 'panel', text: '(lines that are no longer kept)' };
}
