import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toLogLines, type LogLine } from '../../../renderer/format/log-lines.ts';
import { LineScan, type Wanted } from '../../../renderer/logs/line-scan.ts';

const lines = (first: number, count: number): readonly LogLine[] =>
  toLogLines(
    Array.from({ length: count }, (_, index) => {
      const id = first + index;
      return { id, at: id, generation: 1, text: id % 3 === 0 ? `[error] line ${id}` : `line ${id}` };
    }),
  );
const isEven = { test: (text: string) => Number(text.match(/\d+$/)?.[0]) % 2 === 0, spans: () => [] };
const idsOf = (found: readonly LogLine[]) => found.map(({ id }) => id);
const expected = (all: readonly LogLine[], { leastLevel, matcher }: Wanted) => {
  const ofLevel = all.filter(({ level }) => leastLevel === undefined || level === leastLevel);
  const hits = matcher === undefined ? [] : ofLevel.filter(({ text }) => matcher.test(text));
  return { lines: idsOf(ofLevel), hits: idsOf(hits) };
};

describe('a search over the lines of a log', () => {
  it('finds the same in slices, while lines come and go, as it would in all of them at once', () => {
    const change = fc.record({ added: fc.nat(300), cut: fc.nat(300), slices: fc.nat(4) });
    const wanted: fc.Arbitrary<Wanted> = fc.record({
      leastLevel: fc.constantFrom(undefined, 'error' as const),
      matcher: fc.constantFrom(undefined, isEven),
    });
    const property = fc.property(wanted, fc.array(change), (looked, changes) => {
      const scan = new LineScan(looked);
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
      expect({ lines: idsOf(scan.ofLevel), hits: idsOf(scan.hits) }).toEqual(expected(all, looked));
    });
    fc.assert(property);
  });

  it('looks at each line once, however often lines come', () => {
    let looks = 0;
    const scan = new LineScan({
      leastLevel: undefined,
      matcher: { test: () => (looks += 1) > 0, spans: () => [] },
    });
    for (let last = 100; last <= 1000; last += 100) {
      scan.take(lines(1, last));
      scan.step(() => false);
    }
    expect(looks).toBe(1000);
  });

  it('begins anew when earlier lines come before the first one', () => {
    const scan = new LineScan({ leastLevel: undefined, matcher: isEven });
    scan.take(lines(1, 4));
    scan.step(() => false);
    scan.take(lines(-3, 8));
    scan.step(() => false);
    expect(scan.hits.length).toBe(4);
  });
});
