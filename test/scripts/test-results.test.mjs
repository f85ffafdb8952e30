import { describe, expect, it } from 'vitest';
import {
  addCounts,
  countCheck,
  countVitest,
  describeFailures,
  resultLine,
  withSecondTry,
} from '../../scripts/lib/test-results.mjs';

const file = (status, ...tests) => namedFile('test/a.test.ts', status, ...tests);

const namedFile = (name, status, ...tests) => ({
  name,
  status,
  message: '',
  assertionResults: tests.map((test, index) => ({
    fullName: `part ${index + 1} holds`,
    status: test,
    failureMessages: test === 'failed' ? ['Error: 1 is not 2\n    at somewhere'] : [],
  })),
});

const report = (...testResults) => ({ testResults });

describe('countVitest', () => {
  it('counts tests, and todos as skipped', () => {
    const statuses = ['passed', 'passed', 'failed', 'skipped', 'pending', 'todo'];
    expect(countVitest(report(file('passed', 'passed'), file('failed', ...statuses)), 1)).toEqual({
      passed: 3,
      failed: 1,
      skipped: 3,
    });
  });

  it('counts a file that failed without a failing test: it did not load, or a hook threw', () => {
    const broken = [file('failed'), file('failed', 'skipped'), file('passed', 'passed')];
    expect(countVitest(report(...broken), 1).failed).toBe(2);
  });

  it('counts an error outside every test, which only the exit code tells', () => {
    const green = report(file('passed', 'passed'));
    expect(countVitest(green, 1).failed).toBe(1);
    expect(countVitest(green, null).failed).toBe(1);
    expect(countVitest(green, 0).failed).toBe(0);
  });

  it('counts a run that found no test, and one that left no report', () => {
    expect(countVitest(report(), 0).failed).toBe(1);
    expect(countVitest(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

describe('a second try', () => {
  const first = report(
    namedFile('a', 'passed', 'passed'),
    namedFile('b', 'failed', 'passed', 'failed'),
    namedFile('c', 'failed'),
  );
  const again = async (second, before = { report: first }) => {
    const tried = [];
    const { run, unstable } = await withSecondTry(before, async (files) => {
      tried.push(...files);
      return { report: second };
    });
    return { tried, counts: countVitest(run.report, 1), unstable };
  };

  it('is for the files that failed, and replaces what those said, and nothing else', async () => {
    const second = report(namedFile('b', 'passed', 'passed', 'passed'), namedFile('c', 'failed', 'failed'));
    const counts = { passed: 3, failed: 1, skipped: 0 };
    expect(await again(second)).toEqual({ tried: ['b', 'c'], counts, unstable: [] });
  });

  it('names what failed first where all passed alone', async () => {
    const second = report(namedFile('b', 'passed', 'passed', 'passed'), namedFile('c', 'passed', 'passed'));
    expect((await again(second)).unstable).toEqual([
      'failed at first, passed alone: b › part 2 holds: Error: 1 is not 2',
      'failed at first, passed alone: c: no message',
    ]);
  });

  it('leaves the failures of the first where it has no report, or none of a file', async () => {
    const kept = { counts: { passed: 2, failed: 2, skipped: 0 }, unstable: [] };
    expect(await again(undefined)).toMatchObject(kept);
    const part = report(namedFile('b', 'passed', 'passed'));
    expect(await again(part)).toMatchObject({ counts: { passed: 2, failed: 1 }, unstable: [] });
  });

  it('is not made where nothing failed, where there is no report, nor for more than three files', async () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => namedFile(name, 'failed', 'failed'));
    for (const before of [report(namedFile('a', 'passed', 'passed')), undefined, report(...many)])
      expect((await again(first, { report: before })).tried).toEqual([]);
  });
});

describe('describeFailures', () => {
  it('names each failed test with the first line of why, and each file that failed as a whole', () => {
    const broken = { ...namedFile('c', 'failed'), message: 'SyntaxError: no\n  at c' };
    expect(describeFailures(report(namedFile('b', 'failed', 'passed', 'failed'), broken))).toEqual([
      'b › part 2 holds: Error: 1 is not 2',
      'c: SyntaxError: no',
    ]);
    expect(describeFailures(undefined)).toEqual([]);
  });
});

describe('the last line', () => {
  it('adds up all runners', () => {
    const all = [countCheck(true), countCheck(false), { passed: 40, failed: 0, skipped: 2 }];
    expect(resultLine(addCounts(all))).toBe('41 passed, 1 failed, 2 skipped');
    expect(resultLine(addCounts([]))).toBe('0 passed, 0 failed, 0 skipped');
  });
});
