import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stat } from '../../../electron/core/store/figures.ts';
import {
  decodeRecords,
  encodeRecords,
  RecordReader,
  type FigureRecord,
} from '../../../electron/core/store/file/records.ts';

/** Figures as they come from measurements: up to 4 TiB of memory in KiB, a thousand times in a quarter of an hour. */
const stat: fc.Arbitrary<Stat> = fc
  .array(fc.integer({ min: 0, max: 2 ** 32 }), { minLength: 1, maxLength: 20 })
  .map((values) => ({
    count: values.length,
    min: Math.min(...values),
    sum: values.reduce((sum, value) => sum + value, 0),
    max: Math.max(...values),
  }));
const record: fc.Arbitrary<FigureRecord> = fc.record({
  key: fc.nat({ max: 2 ** 20 }),
  figures: fc.array(fc.option(stat, { nil: undefined }), { maxLength: 6 }),
});

describe('records', () => {
  it('are read as they were written, whatever the figures', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        expect(decodeRecords(encodeRecords(records))).toEqual(records);
      }),
    );
  });

  it('are passed over without reading their figures', () => {
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const reader = new RecordReader(encodeRecords(records));
        const keys: number[] = [];
        while (reader.nextRecord()) {
          keys.push(reader.key);
          if (reader.key % 2 === 0) reader.nextStat();
        }
        expect(keys).toEqual(records.map(({ key }) => key));
      }),
    );
  });

  it('come to an end, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeRecords(bytes).length).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });

  it('take 25 bytes for a minute of a server that measures four figures', () => {
    const minute = [
      { count: 60, min: 153_600, sum: 60 * 154_000, max: 154_624 },
      { count: 60, min: 0, sum: 1260, max: 300 },
      { count: 60, min: 33, sum: 60 * 33, max: 33 },
      { count: 60, min: 3, sum: 180, max: 3 },
    ];
    expect(encodeRecords([{ key: 29, figures: minute }]).length).toBe(25);
  });
});
