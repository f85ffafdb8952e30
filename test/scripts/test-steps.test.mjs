import { describe, expect, it } from 'vitest';
import { readTestArguments } from '../../scripts/lib/test-steps.mjs';

describe('readTestArguments', () => {
  it('takes every runner that a person waits for by default', () => {
    const { only, patterns } = readTestArguments([]);
    expect([...only].sort()).toEqual(['e2e', 'format', 'lint', 'types', 'unit', 'unused']);
    expect(patterns).toEqual([]);
  });

  it('leaves the slow runs to those who name them, one by one or all', () => {
    expect([...readTestArguments(['--only=slow']).only]).toEqual(['slow']);
    expect([...readTestArguments(['--only=all-slow']).only].sort()).toEqual([
      'app',
      'live',
      'package',
      'properties',
      'slow',
    ]);
  });

  it('reads --only in both spellings, and patterns beside it', () => {
    expect([...readTestArguments(['--only=unit,lint', 'fuses']).only]).toEqual(['unit', 'lint']);
    expect(readTestArguments(['--only', 'unit', 'fuses', 'stamp']).patterns).toEqual(['fuses', 'stamp']);
  });

  it.each([['--only=nope'], ['--only='], ['--only'], ['--watch']])('refuses %s', (...args) => {
    expect(() => readTestArguments(args)).toThrow();
  });
});
