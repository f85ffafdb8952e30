import { readPatterns } from './read-patterns.mjs';

/**
 * Lint rule against regular expressions that are built from text of unknown origin. A server, a client or a file may contain
 * any text, and a pattern made from it could backtrack almost endlessly. Such text may enter a pattern only through
 * `escapeRegExp`.
 */
export const constantPattern = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      foreign: 'A pattern is made of constants, or of text that escapeRegExp() escapes: {{ why }}.',
    },
  },
  create(context) {
    const { text } = context.sourceCode;
    if (!text.includes('RegExp(')) return {};
    return {
      Program() {
        for (const { line, column, why } of readPatterns(context.filename, text).unreadable)
          context.report({ loc: { line, column }, messageId: 'foreign', data: { why } });
      },
    };
  },
};
