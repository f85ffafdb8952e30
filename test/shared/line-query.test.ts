import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileQuery, type LineMatcher, type LineQuery } from '../../shared/line-query.ts';

async function matcherOf(words: string, changes: Partial<LineQuery> = {}): Promise<LineMatcher> {
  const compiled = await compileQuery({ words, isRegex: false, matchesCase: false, ...changes });
  if (compiled.kind !== 'matcher') throw new Error(compiled.kind);
  return compiled.matcher;
}
const found = (matcher: LineMatcher, text: string) =>
  matcher.spans(text).map(([start, end]) => text.slice(start, end));

describe('a search for words', () => {
  it.each(['.*', 'a+b', '[x]', '(', '\\', '$1', '/', '{2}', '^', '|'])('takes %j as it is', async (words) => {
    const matcher = await matcherOf(words);
    expect(found(matcher, `before ${words} after ${words}`)).toEqual([words, words]);
    expect(matcher.test('qqq')).toBe(false);
  });

  it('finds any words in any text that holds them, at the right places', async () => {
    const property = fc.asyncProperty(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      async (words, before) => {
        const matcher = await matcherOf(words, { matchesCase: true });
        const text = `${before}${words}`;
        expect(matcher.test(text)).toBe(true);
        for (const match of found(matcher, text)) expect(match).toBe(words);
      },
    );
    await fc.assert(property);
  });

  it('keeps its places beside letters whose lower case is longer', async () => {
    expect(found(await matcherOf('error'), 'İİİ ERROR x')).toEqual(['ERROR']);
    expect(found(await matcherOf('error', { matchesCase: true }), 'ERROR error')).toEqual(['error']);
  });

  it('is no search when it is empty', async () => {
    expect(await compileQuery({ words: '', isRegex: true, matchesCase: false })).toEqual({ kind: 'all' });
  });
});

describe('a search for a pattern', () => {
  const isRegex = true;

  it('finds what the pattern says, in the case that is asked for', async () => {
    expect(found(await matcherOf('err(or)?s?|fail\\w+', { isRegex }), 'ERRORS, then failed')).toEqual([
      'ERRORS',
      'failed',
    ]);
    expect((await matcherOf('Error', { isRegex, matchesCase: true })).test('error')).toBe(false);
  });

  it.each([
    ['[a-z', /^Missing closing \]: \[a-z$/],
    ['(a', /^Missing closing \): \(a$/],
    ['*', /^Missing argument to repetition operator/],
    ['a(?=b)', /look-behind are not supported/],
    ['(?<!a)b', /./],
    ['(a)\\1', /^Back-references are not supported$/],
    ['\\', /^Trailing backslash/],
  ])('says why %j is none, instead of throwing', async (words, problem) => {
    const compiled = await compileQuery({ words, isRegex, matchesCase: false });
    expect(compiled).toMatchObject({ kind: 'invalid', problem: expect.stringMatching(problem) as string });
  });

  it('answers for any pattern at all', async () => {
    const property = fc.asyncProperty(fc.string(), async (words) => {
      const compiled = await compileQuery({ words, isRegex, matchesCase: false });
      if (compiled.kind === 'matcher') compiled.matcher.spans('some text: [a] (b) 12');
    });
    await fc.assert(property);
  });

  // A backtracking engine would need 2 ** 30 steps and more: this test would not end.
  it.each(['(a+)+$', '(a|aa)+$', '(.*a){12}$', '(a*)*b'])('comes to an end for %s', async (words) => {
    const matcher = await matcherOf(words, { isRegex });
    expect(matcher.test(`${'a'.repeat(3000)}!`)).toBe(false);
  });

  it('leaves out empty matches, and is bounded in their number', async () => {
    const matcher = await matcherOf('x*', { isRegex });
    expect(found(matcher, 'axxb')).toEqual(['xx']);
    expect((await matcherOf('a', { isRegex })).spans('a'.repeat(5000)).length).toBe(200);
    expect((await matcherOf('a')).spans('a'.repeat(5000)).length).toBe(200);
  });
});
