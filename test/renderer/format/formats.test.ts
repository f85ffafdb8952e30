import { describe, expect, it } from 'vitest';
import { formatAgo, formatDuration, formatSpan, formatUntil } from '../../../renderer/format/durations.ts';
import {
  formatCount,
  formatCpu,
  formatData,
  formatMemory,
  formatPlural,
} from '../../../renderer/format/figures.ts';
import {
  formatClockTime,
  formatDate,
  formatDayName,
  formatMoment,
} from '../../../renderer/format/moments.ts';

const MIB = 1024 * 1024;
const S = 1000;
const M = 60 * S;
const H = 60 * M;

describe('formatMemory', () => {
  it.each([
    [undefined, '–'],
    [Number.NaN, '–'],
    [0, '0 MiB'],
    [0.5 * MIB, '0.50 MiB'],
    [9.54 * MIB, '9.54 MiB'],
    [9.996 * MIB, '10.0 MiB'],
    [64 * MIB, '64.0 MiB'],
    [99.96 * MIB, '100 MiB'],
    [182.4 * MIB, '182 MiB'],
    [999.6 * MIB, '0.98 GiB'],
    [1024 * MIB, '1.00 GiB'],
    [12.34 * 1024 * MIB, '12.3 GiB'],
  ])('writes %s bytes as %s', (bytes, text) => expect(formatMemory(bytes)).toBe(text));
});

describe('formatData', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [4300, '4.20 KiB'],
    [999.6 * 1024, '0.98 MiB'],
    [9.54 * MIB, '9.54 MiB'],
  ])('writes %s bytes as %s', (bytes, text) => expect(formatData(bytes)).toBe(text));
});

describe('formatCpu', () => {
  it.each([
    [undefined, '–'],
    [0, '0.0 %'],
    [2.14, '2.1 %'],
    [9.94, '9.9 %'],
    [9.96, '10 %'],
    [104.4, '104 %'],
  ])('writes %s as %s', (percent, text) => expect(formatCpu(percent)).toBe(text));
});

describe('formatCount', () => {
  it.each([
    [undefined, '–'],
    [0, '0'],
    [9999, '9999'],
    [10_000, '10\u2009000'],
    [1_234_567, '1\u2009234\u2009567'],
  ])('writes %s as %s', (count, text) => expect(formatCount(count)).toBe(text));

  it('agrees with its noun', () => {
    expect(formatPlural(1, 'call')).toBe('1 call');
    expect(formatPlural(0, 'call')).toBe('0 calls');
  });
});

describe('durations', () => {
  it.each([
    [-5, '0 s'],
    [4 * S, '4 s'],
    [2 * M + 10 * S, '2 m 10 s'],
    [2 * M, '2 m'],
    [12 * M + 34 * S, '12 m'],
    [3 * H, '3 h'],
    [3 * H + 20 * M + 5 * S, '3 h 20 m'],
    [52 * H, '2 d 4 h'],
  ])('%d ms lasts %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

  it.each([
    [0, '0 ms'],
    [840, '840 ms'],
    [1000, '1 s'],
    [1840, '1.8 s'],
    [31_400, '31 s'],
    [130_000, '2 m 10 s'],
  ])('%d ms was measured as %s', (ms, text) => expect(formatSpan(ms)).toBe(text));

  it.each([
    [-3000, '1 s'],
    [1, '1 s'],
    [1001, '1 s'],
    [300_900, '5 m'],
    [90_000, '1 m 30 s'],
  ])('in %d ms is in %s', (ms, text) => expect(formatUntil(ms)).toBe(text));

  it.each([
    [0, 'just now'],
    [5 * S, '5 s ago'],
    [3 * M + 50 * S, '3 m ago'],
    [5 * H, '5 h ago'],
    [50 * H, '2 d ago'],
  ])('%d ms ago reads %s', (ms, text) => expect(formatAgo(ms)).toBe(text));
});

describe('moments', () => {
  const at = new Date(2026, 2, 4, 9, 5, 7).getTime();

  it('are written in 24 hours with all digits', () => {
    expect(formatClockTime(at)).toBe('09:05:07');
    expect(formatMoment(at)).toBe('2026-03-04 09:05:07');
  });

  it('know today and yesterday', () => {
    expect(formatDayName(at, at + H)).toBe('Today');
    expect(formatDayName(at, new Date(2026, 2, 5, 0, 0, 1).getTime())).toBe('Yesterday');
    expect(formatDayName(at, new Date(2026, 2, 6, 12).getTime())).toBe(`Wed ${formatDate(at)}`);
    expect(formatDayName(at, new Date(2027, 2, 6, 12).getTime())).toBe(`Wed ${formatDate(at)} 2026`);
  });
});
