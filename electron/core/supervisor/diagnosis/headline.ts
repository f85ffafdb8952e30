import type { StderrLine } from './stderr-lines.ts';

/** Maximum characters of a cause, because rows and notifications show it. A longer one is cut. */
const MAX_CHARACTERS = 240;

type Complete = (text: string, next: readonly string[]) => string | undefined;

/** Returns the cause as one line. Messages spread over several lines are joined. */
export function headlineAt(lines: readonly StderrLine[], at: number): string {
  const { shown, text, isNpm } = lines[at]!;
  if (isNpm) return cut(shown);
  const next = lines.slice(at + 1).map((line) => line.text.trim());
  const message = withSubject(lines, at) ?? text.replace(/^(?:\[(?:cause|error)\]: |Caused by: |-+> )/, '');
  for (const complete of completions) {
    const whole = complete(message, next);
    if (whole !== undefined) return cut(whole);
  }
  return cut(message);
}

/** First errors of chains that say no more than the innermost cause. */
const VAGUE = /\b(?:fetch failed|failed to fetch|request failed|network error|an error occurred|Error)$/i;

/**
 * Puts the first error of a chain before the innermost cause. Node, and tools in Rust, name the operation first and the
 * system's error last. In Java the first error says nearly the same as the innermost cause, and both together are too long.
 */
function withSubject(lines: readonly StderrLine[], at: number): string | undefined {
  const link = /^(?:\[cause\]|Caused by): /;
  const head = lines.slice(0, at).findLast(({ text }) => !link.test(text))?.text;
  const { text } = lines[at]!;
  if (head === undefined || !link.test(text) || VAGUE.test(head)) return undefined;
  const isChain = text.startsWith('[cause]') ? /^[\w.$]*Error\b.*: /.test(head) : head.startsWith('error: ');
  return isChain ? `${head}: ${text.replace(link, '').replace(/^Error: /, '')}` : undefined;
}

/** Shortens a line to the part that is shown. */
export function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`;
}

const completions: readonly Complete[] = [
  // Node: a promise rejected with a value that is no error.
  (text) => /^\[?UnhandledPromiseRejection: .* with the reason "(.*)"\./.exec(text)?.[1],
  // Rust: place of the panic, and its reason on the next line.
  (text, [next]) => (/^thread '.*' .*panicked at [^']+:$/.test(text) && next ? `panic: ${next}` : undefined),
  // Ruby: place, reason and class of the error.
  (text) => /^\S+:\d+:in [`'][^`']*['`]: (.+ \(\w[\w:]*\))$/.exec(text)?.[1],
  // uv: a sentence that spans the following lines.
  (text, [next = '', ...rest]) =>
    /No solution found/.test(text)
      ? [
          text.replace(/^[×x] /, ''),
          next.replace(/^(?:╰─▶|`->) /, ''),
          ...untilSentenceEnds(next, rest),
        ].join(' ')
      : undefined,
  // pydantic: the field, and its problem.
  (text, [field = '', problem = '']) =>
    /\bvalidation errors? for \S+$/.test(text) && field !== ''
      ? `${text}: ${field}: ${problem.replace(/ \[type=.*$/, '')}`
      : undefined,
  // zod: a list of issues as JSON, of which the lines with a text remain.
  (text, next) => (/^ZodError: ?\[?$/.test(text) ? `ZodError: ${zodIssue(next)}` : undefined),
  // anyhow, eyre: the innermost cause comes last.
  (text, [next, ...causes]) =>
    next === 'Caused by:' && causes.length > 0
      ? `${text}: ${causes.at(-1)!.replace(/^\d+: /, '')}`
      : undefined,
  (text, [next]) => (/[:—]$/.test(text) && next ? `${text} ${next.replace(/^[-*•] /, '')}` : undefined),
];

function untilSentenceEnds(first: string, rest: readonly string[]): readonly string[] {
  if (first.endsWith('.')) return [];
  const end = rest.findIndex((line) => line.endsWith('.'));
  return rest.slice(0, end + 1);
}

function zodIssue(lines: readonly string[]): string {
  const message = lines
    .map((line) => /^"message": "(.*)"/.exec(line)?.[1])
    .find((found) => found !== undefined);
  const path = lines.map((line) => /^"([^"]+)",?$/.exec(line)?.[1]).find((found) => found !== undefined);
  return [path, message].filter((part) => part !== undefined).join(': ') || 'a value is refused';
}
