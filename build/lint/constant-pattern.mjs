import { readPatterns } from './read-patterns.mjs';

/**
 * Rule against patterns that are built from foreign text: a server, a client or a file may send any text, and backtracking over
 * it may never end. Text may become part of a pattern only through `escapeRegExp`.
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
