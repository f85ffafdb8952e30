import { describe, expect, it } from 'vitest';
import { absencesIn } from '../../../electron/core/store/file/run-log.ts';

/** Two runs with a pause, and a third that goes on until now, which is 100. */
const runs = [
  { from: 20, to: 40 },
  { from: 50, to: 60 },
  { from: 80, to: 100 },
];
const absences = (from: number, to: number, of = runs) => absencesIn(of, { from, to }, 100);

describe('times in which no panel was running', () => {
  it('are those between runs, cut off at the ends of the span', () => {
    expect(absences(30, 90)).toEqual([
      { from: 40, to: 50 },
      { from: 60, to: 80 },
    ]);
    expect(absences(45, 70)).toEqual([
      { from: 45, to: 50 },
      { from: 60, to: 70 },
    ]);
    expect(absences(50, 60)).toEqual([]);
  });

  it('do not begin before the first run that is known, because what was then is not', () => {
    expect(absences(0, 30)).toEqual([]);
    expect(absences(0, 10)).toEqual([]);
    expect(absences(0, 55)).toEqual([{ from: 40, to: 50 }]);
    expect(absences(0, 90, [])).toEqual([]);
  });

  it('do not reach beyond now', () => {
    expect(absences(90, 200)).toEqual([]);
    expect(absences(70, 200, runs.slice(0, 2))).toEqual([{ from: 70, to: 100 }]);
  });

  it('are none where runs lie over each other, because the clock was set back', () => {
    expect(
      absences(0, 100, [
        { from: 10, to: 70 },
        { from: 20, to: 30 },
        { from: 60, to: 100 },
      ]),
    ).toEqual([]);
  });
});
