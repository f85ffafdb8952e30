import { describe, expect, it } from 'vitest';
import { freeName } from '../../shared/server-names.ts';

describe('freeName()', () => {
  it('counts on from the names there are', () => {
    expect(freeName('github', [])).toBe('github');
    expect(freeName('github', ['github'])).toBe('github-2');
    expect(freeName('github-2', ['github', 'github-2'])).toBe('github-3');
    expect(freeName('x'.repeat(64), ['x'.repeat(64)])).toHaveLength(62);
  });
});
