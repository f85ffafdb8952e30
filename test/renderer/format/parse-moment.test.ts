import { expect, it } from 'vitest';
import { parseMoment } from '../../../renderer/format/parse-moment.ts';

/** Friday, 27 November 2026, 12:00 local time. */
const now = new Date(2026, 10, 27, 12).getTime();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

it.each([
  ['03:10', at(27, 3, 10)],
  ['23:50', at(26, 23, 50)],
  ['yesterday 14:00', at(26, 14)],
  ['22 Nov 3pm', at(22, 15)],
  ['2026-11-20T08:30', at(20, 8, 30)],
])('reads %s as the last one that there was', (text, expected) => {
  expect(parseMoment(text, now)).toBe(expected);
});

it.each(['', 'nonsense', '3 Dec 2031', 'x'.repeat(10_000)])('knows nothing of “%.20s”', (text) => {
  expect(parseMoment(text, now)).toBeUndefined();
});
