import { describe, expect, it } from 'vitest';
import { skipsByReason, summarise } from '../../../scripts/lib/windows-lane/lane-report.mjs';

const test = (status, skipReason) => ({ fullName: 'x', status, meta: skipReason ? { skipReason } : {} });
const report = (...assertionResults) => ({
  testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }],
});

describe('skipsByReason', () => {
  it('counts each reason, the most frequent first, and those without one', () => {
    const reports = [
      report(test('skipped', 'no signals'), test('passed'), test('skipped')),
      report(test('skipped', 'no modes'), test('pending', 'no modes'), test('failed', 'no modes')),
    ];
    expect(skipsByReason(reports)).toEqual([
      { reason: 'no modes', count: 2 },
      { reason: 'no signals', count: 1 },
      { reason: 'no reason is stated', count: 1 },
    ]);
  });
});

describe('summarise', () => {
  it('tells what ran where, the reasons of skips, and the counts last', () => {
    const one = { name: 'one', code: 0, report: report(test('passed'), test('skipped', 'no modes')) };
    const two = { name: 'two', code: 1, report: report(test('failed'), test('passed')) };
    expect(summarise('Windows', [one, two])).toEqual({
      lines: [
        '3 tests ran on Windows',
        'skipped, by reason:',
        '     1  no modes',
        '2 passed, 1 failed, 1 skipped',
      ],
      counts: { passed: 2, failed: 1, skipped: 1 },
    });
  });

  it('counts a chunk that left no report as a failure', () => {
    const { counts } = summarise('Windows', [{ name: 'died', code: null, report: undefined }]);
    expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
