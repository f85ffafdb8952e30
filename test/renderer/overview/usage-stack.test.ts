import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandAt, stackPaths, stackUsage, type UsageSeries } from '../../../renderer/overview/usage-stack.ts';

const series = (server: string, ...figures: (number | undefined)[]): UsageSeries => ({ server, figures });
const frame = { width: 40, height: 10, leastTop: 1, isStepped: false };

/** Number of separate areas of a path. */
const areasOf = (path: string) => path.split('M').length - 1;
const xsOf = (path: string) => [...path.matchAll(/[ML]([\d.]+) /g)].map((match) => Number(match[1]));
const ysOf = (path: string) => [...path.matchAll(/ ([\d.]+)(?=[LZ])/g)].map((match) => Number(match[1]));

describe('stackUsage', () => {
  it('has the five largest over the whole time, and the others as one', () => {
    const { bands } = stackUsage(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name, index) => series(name, index + 1, 1)),
      2,
    );
    expect(bands.map(({ server }) => server)).toEqual(['g', 'f', 'e', 'd', 'c', undefined]);
    expect(bands.at(-1)?.figures).toEqual([3, 2]);
  });

  it('names a single other server, which takes no more room', () => {
    const { bands } = stackUsage(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => series(name, 1)),
      1,
    );
    expect(bands.map(({ server }) => server)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('leaves out who used nothing, and tells a gap from a zero', () => {
    const { bands, isKnown } = stackUsage([series('a', 0, undefined, 0), series('b', 4, undefined, 2)], 3);
    expect(bands).toEqual([{ server: 'b', figures: [4, 0, 2] }]);
    expect(isKnown).toEqual([true, false, true]);
  });

  it('loses no figure, whatever the servers are', () => {
    const anySeries = fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(anySeries, { maxLength: 12 }), (all) => {
        const { bands } = stackUsage(
          all.map((figures, index) => series(`s${index}`, ...figures)),
          3,
        );
        expect(bands.length).toBeLessThanOrEqual(6);
        for (const step of [0, 1, 2]) {
          const sum = bands.reduce((total, { figures }) => total + figures[step]!, 0);
          expect(sum).toBe(all.reduce((total, figures) => total + figures[step]!, 0));
        }
      }),
    );
  });
});

describe('stackPaths', () => {
  it('cuts every band at a gap, and fills the step of a lone figure', () => {
    const [path] = stackPaths(stackUsage([series('a', 2, undefined, undefined, 2)], 4), frame);
    expect(areasOf(path!)).toBe(2);
    expect(Math.min(...xsOf(path!))).toBe(0);
    expect(Math.max(...xsOf(path!))).toBe(40);
    // Nothing is drawn over the gap.
    expect(xsOf(path!).filter((x) => x > 10 && x < 30)).toEqual([]);
  });

  it('lays one band on the other', () => {
    const [below, above] = stackPaths(stackUsage([series('a', 6, 6), series('b', 3, 3)], 2), frame);
    expect(Math.max(...ysOf(below!))).toBe(10);
    expect(Math.max(...ysOf(above!))).toBe(Math.min(...ysOf(below!)));
    expect(Math.min(...ysOf(above!))).toBeGreaterThan(0);
  });

  it('draws counts as steps', () => {
    const stack = stackUsage([series('a', 1, 3)], 2);
    const heights = (isStepped: boolean) =>
      new Set(ysOf(stackPaths(stack, { ...frame, isStepped })[0]!)).size;
    expect(heights(true)).toBe(3);
    expect(xsOf(stackPaths(stack, { ...frame, isStepped: true })[0]!).toSorted((a, b) => a - b)).toEqual([
      0, 0, 20, 20, 20, 20, 40, 40,
    ]);
  });

  it('draws noise flat, by the least top of the scale', () => {
    const top = (leastTop: number) =>
      Math.min(...ysOf(stackPaths(stackUsage([series('a', 1, 1)], 2), { ...frame, leastTop })[0]!));
    expect(top(100)).toBeGreaterThan(9);
    expect(top(1)).toBeLessThan(1);
  });

  it('draws nothing of nothing', () => {
    expect(stackPaths(stackUsage([], 4), frame)).toEqual([]);
  });
});

describe('bandAt', () => {
  const stack = stackUsage([series('a', 6, undefined, 0), series('b', 3, undefined, 2)], 3);

  it('finds the band that lies at a height of a step', () => {
    expect([0, 5.9, 6, 8.9].map((figure) => bandAt(stack, 0, figure))).toEqual([0, 0, 1, 1]);
    // A band without a figure there has no height.
    expect(bandAt(stack, 2, 0)).toBe(1);
  });

  it('finds none above the stack, below it, in a gap, or beside it', () => {
    expect([bandAt(stack, 0, 9), bandAt(stack, 0, -1), bandAt(stack, 1, 0), bandAt(stack, 7, 0)]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
