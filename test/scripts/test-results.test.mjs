import { describe, expect, it } from 'vitest';
import { addCounts, countCheck, countVitest, resultLine } from '../../scripts/lib/test-results.mjs';

const file = (status, ...tests) => ({ status, assertionResults: tests.map((test) => ({ status: test })) });

const report = (numbers, ...testResults) => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults,
  ...numbers,
});

describe('countVitest', () => {
  it('counts tests, and todos as skipped', () => {
    const numbers = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 };
    expect(countVitest(report(numbers, file('failed', 'passed', 'failed')), 1)).toEqual({
      passed: 5,
      failed: 1,
      skipped: 3,
    });
  });

  it('counts a file that failed without a failing test: it did not load, or a hook threw', () => {
    const broken = [file('failed'), file('failed', 'skipped'), file('passed', 'passed')];
    expect(countVitest(report({ numPassedTests: 1, numPendingTests: 1 }, ...broken), 1).failed).toBe(2);
  });

  it('counts an error outside every test, which only the exit code tells', () => {
    const green = report({ numPassedTests: 3 }, file('passed', 'passed'));
    expect(countVitest(green, 1).failed).toBe(1);
    expect(countVitest(green, null).failed).toBe(1);
    expect(countVitest(green, 0).failed).toBe(0);
  });

  it('counts a run that found no test, and one that left no report', () => {
    expect(countVitest(report({}), 0).failed).toBe(1);
    expect(countVitest(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('the last line', () => {
  it('adds up all runners', () => {
    const all = [countCheck(true), countCheck(false), { passed: 40, failed: 0, skipped: 2 }];
    expect(resultLine(addCounts(all))).toBe('41 passed, 1 failed, 2 skipped');
    expect(resultLine(addCounts([]))).toBe('0 passed, 0 failed, 0 skipped');
  });
});
