import { describe, expect, it } from 'vitest';
import { looksRandom } from '../../../shared/secrets/secret-names.ts';

describe('looksRandom', () => {
  it.each([
    ['ghx7Kq2mZ9pLw4', true],
    ['io.modelcontextprotocol.filesystem.internaltools', false],
    ['accessibilityinsightsforwindowsservices', false],
    ['mcp-server-fetch-v1.2.3', false],
  ])('judges %s: %s', (word, isRandom) => expect(looksRandom(word)).toBe(isRandom));

  // A pattern that backtracks over the letters never comes back from these.
  it.each([
    ['letters', 'a'],
    ['words', 'ab-'],
    ['letters and digits', 'a1b2'],
  ])('answers for a word of 64 KiB of %s', (_, unit) => {
    const word = unit.repeat(65_536 / unit.length);
    expect([looksRandom(word), looksRandom(`${word}!`)]).toEqual([unit === 'a1b2', false]);
  });
});
