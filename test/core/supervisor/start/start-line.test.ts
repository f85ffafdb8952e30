import { describe, expect, it } from 'vitest';
import { lineWords } from '../../../../electron/core/supervisor/start/start-line.ts';

const waiting = Array.from({ length: 25 }, (_, at) => `s${at + 1}`);
const words = (position: number) =>
  lineWords({
    position,
    behind: waiting.slice(0, position - 1),
    starting: ['x', 'y', 'z'],
    sameInstall: undefined,
  });

describe('the words of a place in the line', () => {
  it('name the place, and who is before it, from the first to the 25th', () => {
    expect(words(1)).toBe('1st in line, until one of x, y, z has started');
    expect([2, 3, 4].map(words)).toEqual([
      '2nd in line, behind s1',
      '3rd in line, behind s1, s2',
      '4th in line, behind s1, s2, s3',
    ]);
    for (let position = 5; position <= 25; position += 1)
      expect(words(position)).toBe(
        `${{ 21: '21st', 22: '22nd', 23: '23rd' }[position] ?? `${position}th`} in line, behind s1, s2, s3 and ${position - 4} more`,
      );
  });
});
