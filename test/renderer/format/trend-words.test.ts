import { describe, expect, it } from 'vitest';
import { eventLine } from '../../../renderer/format/event-words.ts';
import { bestHourWords, trendWords } from '../../../renderer/format/figures.ts';

const day = (date: number) => new Date(2026, 10, date, 12).getTime();
const trend = {
  perDayBytes: 90 * 1024 ** 2,
  since: day(17),
  limitBytes: 1024 ** 3,
  limitAt: day(25),
  limitFrom: day(24),
  limitTo: day(27),
  confidence: 'clear',
};
/** Dates as the machine writes them: `17 Nov` or `Nov 17`. */
const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const [since, at, range] = [
  dates.format(day(17)),
  dates.format(day(25)),
  dates.formatRange(day(24), day(27)),
];

describe('the words on a trend', () => {
  it('say how fast, since when, and when the limit comes', () => {
    expect(trendWords(trend)).toBe(`+90 MiB a day since ${since}, limit on ${at} (${range})`);
    expect(trendWords({ ...trend, confidence: 'likely' })).toBe(
      `likely +90 MiB a day since ${since}, limit on ${at} (${range})`,
    );
  });

  it('leave out a range of one day, and say what is at its limit', () => {
    expect(trendWords({ ...trend, limitFrom: day(25), limitTo: day(25) })).toBe(
      `+90 MiB a day since ${since}, limit on ${at}`,
    );
    const { perDayBytes, limitBytes } = trend;
    expect(trendWords({ perDayBytes, limitBytes, since: day(17) })).toBe(
      `+90 MiB a day since ${since}, at its limit`,
    );
  });

  it('are those of its event', () => {
    expect(eventLine({ kind: 'trend', detail: trend })).toBe(`memory grows every day · ${trendWords(trend)}`);
    expect(eventLine({ kind: 'trend', detail: {} })).toBe('memory grows every day');
  });

  it('name the best hour to restart', () => {
    expect(bestHourWords({ hour: 3, quietDays: 28, days: 30 })).toBe(
      '03:00, nobody called then on 28 of 30 days',
    );
  });
});
