import { describe, expect, it } from 'vitest';
import { isQuickPattern } from '../../../renderer/forms/pattern-guard.ts';

describe('a pattern of a server', () => {
  it.each([
    '^[a-z]+$',
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
    '^(\\d{1,3}\\.){3}\\d{1,3}$',
    '^#[0-9a-fA-F]{6}$',
    '^(draft|open|closed)$',
    '^\\p{L}+$',
    '^v?\\d+\\.\\d+\\.\\d+$',
    '^/(?:[^/]+)?$',
  ])('is tried where it soon ends: %s', (pattern) => {
    expect(isQuickPattern(pattern, 40)).toBe(true);
    // A pattern that is not quick would not come back here within a lifetime.
    new RegExp(pattern, 'u').test(`${'a'.repeat(39)}!`);
  });

  it.each([
    '^(a+)+$',
    '(a|a)*$',
    '^(a|aa)+$',
    '^(\\w+\\s?)*$',
    '^(.*)*$',
    '^([a-z]+)*!$',
    '^(?:-[a-z-]+)*$',
    '(?=a)a',
    '(a)\\1',
    '(',
    '[',
    'a**',
    '(.+)+'.repeat(5),
  ])('is left to the server where it might not: %s', (pattern) => {
    expect(isQuickPattern(pattern, 40)).toBe(false);
  });

  it('is tried on short texts and left out for long ones, by how many loops it has', () => {
    expect(isQuickPattern('^.*a.*b.*$', 100)).toBe(true);
    expect(isQuickPattern('^.*a.*b.*$', 10_000)).toBe(false);
    expect(isQuickPattern('^a*$', 1_000_000)).toBe(true);
  });
});
