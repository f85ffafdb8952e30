import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../renderer/inspector/call-history.tsx';

const textOf = (count: number, change: (line: number) => string = String) =>
  Array.from({ length: count }, (_, line) => change(line)).join('\n');

describe('the difference of two answers', () => {
  it('shows changed lines with three around them, and folds the rest', () => {
    const { lines, isCut } = differenceOf(
      textOf(20),
      textOf(20, (line) => (line === 10 ? 'ten' : String(line))),
    );
    const words = lines?.map((line) =>
      line.kind === 'gap' ? `${line.count} more` : `${line.kind} ${line.text}`,
    );
    expect(words).toEqual([
      ...['7 more', 'same 7', 'same 8', 'same 9'],
      ...['removed 10', 'added ten'],
      ...['same 11', 'same 12', 'same 13', '6 more'],
    ]);
    expect(isCut).toBe(false);
  });

  it('has no change where nothing changed', () => {
    expect(differenceOf('a\nb', 'a\nb').lines?.some(({ kind }) => kind === 'added')).toBe(false);
  });

  it('gives up where the answers have little in common, and says where they are cut', () => {
    expect(
      differenceOf(
        textOf(9000, (line) => `a${line}`),
        textOf(9000, (line) => `b${line}`),
      ).lines,
    ).toBeUndefined();
    const long = textOf(100_000);
    expect(differenceOf(long, long).isCut).toBe(true);
  });
});
