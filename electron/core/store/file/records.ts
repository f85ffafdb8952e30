import type { Figures, Stat } from '../figures.ts';

/**
 * Figures as bytes: `key length stats`, one record after the other. A stat is `count`, and where that is not 0 the `min`, and
 * where it is more than 1 what the maximum and the sum are beyond that. All are whole numbers of seven bits a byte, the
 * lowest first. A minute of a server takes some 25 bytes, a third of what a row of columns would.
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

/** Reads records one after the other without making an object of each, because a chart is made of thousands. */
export class RecordReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #end = 0;
  /** Of the current record. */
  key = 0;
  /** Of the current stat; `count` is 0 where nothing was measured. */
  count = 0;
  min = 0;
  sum = 0;
  max = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Goes on to the next record, whether the stats of this one were read or not. @returns false behind the last one */
  nextRecord(): boolean {
    this.#at = this.#end;
    if (this.#at >= this.#bytes.length) return false;
    this.key = this.#number();
    const length = this.#number();
    // What is damaged is cut off at the end of the bytes: the rest of them is lost, and nothing else.
    this.#end = Math.min(this.#at + length, this.#bytes.length);
    return true;
  }

  /** Goes on to the next stat of the record. @returns false behind the last one */
  nextStat(): boolean {
    if (this.#at >= this.#end) return false;
    this.count = this.#number();
    this.min = this.count === 0 ? 0 : this.#number();
    this.max = this.min + (this.count > 1 ? this.#number() : 0);
    this.sum = this.count * this.min + (this.count > 1 ? this.#number() : 0);
    return true;
  }

  /** The stats of the record that have not been read yet. */
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
