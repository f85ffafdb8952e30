const withAnd = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Joins words to a list: "a, b and c"; empty for no words. */
export const listWords = (words: readonly string[]): string => withAnd.format(words);
