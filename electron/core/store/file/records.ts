import type { Figures, Stat } from '../figures.ts';

/**
 * Figures as they are encoded in the file: `key length stats`, one record after the other. Each stat consists of its count; if
 * that is above 0, the minimum; and if it is above 1, the differences `max - min` and `sum - count * min`. All numbers are
 * integers, encoded in groups of seven bits with the lowest first. A minute of a server takes about 25 bytes, a third of a
 * database row with one column per number.
 */
export interface FigureRecord {
  readonly key: number;
  readonly figures: Figures;
}

const MORE = 0x80;

export function encodeRecords(records: Iterable<FigureRecord>): Uint8Array {
  const bytes: number[] = [];
  for (const { key, figures } of records) {
    const body: number[] = [];
    for (const stat of figures) pushStat(body, stat);
    pushNumber(bytes, key);
    pushNumber(bytes, body.length);
    for (const byte of body) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

function pushStat(bytes: number[], stat: Stat | undefined): void {
  pushNumber(bytes, stat?.count ?? 0);
  if (stat === undefined) return;
  pushNumber(bytes, stat.min);
  if (stat.count === 1) return;
  pushNumber(bytes, stat.max - stat.min);
  pushNumber(bytes, stat.sum - stat.count * stat.min);
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= MORE) {
    bytes.push((rest % MORE) + MORE);
    rest = Math.floor(rest / MORE);
  }
  bytes.push(rest);
}

/** Reads records in sequence without creating an object for each, because a chart has thousands. */
export class RecordReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #end = 0;
  /** Key of the current record. */
  key = 0;
  /** Count of the current stat; 0 if nothing was measured. */
  count = 0;
  min = 0;
  sum = 0;
  max = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Moves to the next record and skips unread stats. @returns false after the last one */
  nextRecord(): boolean {
    this.#at = this.#end;
    if (this.#at >= this.#bytes.length) return false;
    this.key = this.#number();
    const length = this.#number();
    // A record whose length is damaged ends at the end of the bytes at the latest, so only the rest of this row is lost.
    this.#end = Math.min(this.#at + length, this.#bytes.length);
    return true;
  }

  /** Moves to the next stat of the record. @returns false after the last one */
  nextStat(): boolean {
    if (this.#at >= this.#end) return false;
    this.count = this.#number();
    this.min = this.count === 0 ? 0 : this.#number();
    this.max = this.min + (this.count > 1 ? this.#number() : 0);
    this.sum = this.count * this.min + (this.count > 1 ? this.#number() : 0);
    return true;
  }

  /** Reads the remaining stats of the record. */
  figures(): Figures {
    const figures: (Stat | undefined)[] = [];
    while (this.nextStat()) {
      const { count, min, sum, max } = this;
      figures.push(count === 0 ? undefined : { count, min, sum, max });
    }
    return figures;
  }

  #number(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = at < bytes.length ? bytes[at]! : 0;
    let value = byte % MORE;
    for (let weight = MORE; byte >= MORE; weight *= MORE) {
      at += 1;
      byte = at < bytes.length ? bytes[at]! : 0;
      value += (byte % MORE) * weight;
    }
    this.#at = at + 1;
    return value;
  }
}

export function decodeRecords(bytes: Uint8Array): readonly FigureRecord[] {
  const reader = new RecordReader(bytes);
  const records: FigureRecord[] = [];
  while (reader.nextRecord()) records.push({ key: reader.key, figures: reader.figures() });
  return records;
}
