import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLogLine, type ShownLine } from '../../../renderer/format/log-lines.ts';
import { LineScan } from '../../../renderer/logs/line-scan.ts';
import { aLine } from './fake-log.ts';

const lines = (first: number, count: number): readonly ShownLine[] =>
  Array.from({ length: count }, (_, index) => toLogLine(aLine(first + index), first + index));
const isEven = { test: (text: string) => Number(text.match(/\d+$/)?.[0]) % 2 === 0, spans: () => [] };
const idsOf = (found: readonly ShownLine[]) => found.map(({ id }) => id);

describe('a search over the lines of a log', () => {
  it('finds the same in slices, while lines come and go, as it would in all of them at once', () => {
    const change = fc.record({ added: fc.nat(300), cut: fc.nat(300), slices: fc.nat(4) });
    const matchers = fc.constantFrom(undefined, isEven);
    const property = fc.property(matchers, fc.array(change), (matcher, changes) => {
      const scan = new LineScan(matcher);
      let [first, end] = [1, 1];
      for (const { added, cut, slices } of changes) {
        end += added;
        first = Math.min(end, first + cut);
        scan.take(lines(first, end - first));
        for (let slice = 0; slice < slices; slice += 1) scan.step(() => true);
      }
      scan.step(() => false);
      expect(scan.isDone).toBe(true);
      const all = lines(first, end - first);
      expect(idsOf(scan.hits)).toEqual(
        idsOf(matcher === undefined ? [] : all.filter(({ text }) => matcher.test(text))),
      );
    });
    fc.assert(property);
  });

  it('looks at each line once, however often lines come', () => {
    let looks = 0;
    const scan = new LineScan({ test: () => (looks += 1) > 0, spans: () => [] });
    for (let last = 100; last <= 1000; last += 100) {
      scan.take(lines(1, last));
      scan.step(() => false);
    }
    expect(looks).toBe(1000);
  });

  it('begins anew when earlier lines come before the first one', () => {
    const scan = new LineScan(isEven);
    scan.take(lines(1, 4));
    scan.step(() => false);
    scan.take(lines(-3, 8));
    scan.step(() => false);
    expect(scan.hits.length).toBe(4);
  });
});
