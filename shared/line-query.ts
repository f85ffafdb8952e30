import { escapeRegExp } from './escape-reg-exp.ts';

/** Search as the user typed it. */
export interface LineQuery {
  readonly words: string;
  readonly isRegex: boolean;
  readonly matchesCase: boolean;
}

/** Range of a text in UTF-16 code units; the end is exclusive. */
type TextSpan = readonly [start: number, end: number];

export interface LineMatcher {
  /** True if the search matches anywhere in the text. */
  test(text: string): boolean;
  /** Matching ranges of the text, in order, without empty ranges; at most 200. */
  spans(text: string): readonly TextSpan[];
}

export type CompiledQuery =
  | { readonly kind: 'all' }
  | { readonly kind: 'matcher'; readonly matcher: LineMatcher }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Maximum characters searched per log line. Longer lines are machine output. The limit keeps a search from blocking the page. */
const SEARCHED_CHARACTERS = 16 * 1024;

const MOST_SPANS = 200;
/** Maximum matches per text. Empty matches count as well, because each may read the text to its end. */
const MOST_FINDS = 400;

/**
 * Compiles a search to a matcher. Patterns use an engine whose time is linear in the length of a log line, because a pattern
 * such as `(a+)+$` can block a backtracking engine. The engine is loaded on first use.
 */
export async function compileQuery(query: LineQuery): Promise<CompiledQuery> {
  if (query.words === '') return { kind: 'all' };
  if (!query.isRegex) return { kind: 'matcher', matcher: literalMatcher(query) };
  const { RE2JS, RE2JSException } = await import('re2js');
  try {
    const pattern = RE2JS.compile(query.words, query.matchesCase ? 0 : RE2JS.CASE_INSENSITIVE);
    const spans = (text: string) => {
      const matcher = pattern.matcher(searchedPart(text));
      const found: TextSpan[] = [];
      for (let find = 0; find < MOST_FINDS && found.length < MOST_SPANS && matcher.find(); find += 1)
        if (matcher.end() > matcher.start()) found.push([matcher.start(), matcher.end()]);
      return found;
    };
    return { kind: 'matcher', matcher: { test: (text) => pattern.test(searchedPart(text)), spans } };
  } catch (error) {
    if (error instanceof RE2JSException) return { kind: 'invalid', problem: problemOf(error) };
    throw error;
  }
}

/** Matcher for literal text. It uses an escaped pattern, because lower-casing may change the length of a text. */
function literalMatcher({ words, matchesCase }: LineQuery): LineMatcher {
  const pattern = new RegExp(escapeRegExp(words), matchesCase ? 'u' : 'iu');
  const everywhere = new RegExp(pattern, `${pattern.flags}g`);
  return {
    test: (text) => pattern.test(searchedPart(text)),
    spans: (text) =>
      [...searchedPart(text).matchAll(everywhere)]
        .slice(0, MOST_SPANS)
        .map(({ index, 0: found }) => [index, index + found.length]),
  };
}

const searchedPart = (text: string): string =>
  text.length > SEARCHED_CHARACTERS ? text.slice(0, SEARCHED_CHARACTERS) : text;

/** Plain-language message for an invalid pattern. It names look-around and back-references, which are not supported. */
function problemOf(error: Error & { getDescription?(): string; getPattern?(): string | null }): string {
  // The engine puts its own flag in front of the pattern.
  const part = (error.getPattern?.() ?? '').replace(/^\(\?i\)/, '');
  const what = error.getDescription?.() ?? 'not a pattern';
  if (/^\(\?<?[=!]/.test(part)) return 'Look-ahead and look-behind are not supported';
  if (/^\\[1-9]/.test(part)) return 'Back-references are not supported';
  return `${what[0]?.toUpperCase() ?? ''}${what.slice(1)}${part === '' ? '' : `: ${part}`}`;
}
