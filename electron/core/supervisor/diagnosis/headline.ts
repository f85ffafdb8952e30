import type { StderrLine } from './stderr-lines.ts';

/** Longer ones are cut: they stand in rows and notifications. */
const MAX_CHARACTERS = 240;

type Complete = (text: string, next: readonly string[]) => string | undefined;

/** The cause as one line. Messages that are spread over several lines are put together. */
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

/** Heads of chains that say no more than the innermost cause does. */
const VAGUE = /\b(?:fetch failed|failed to fetch|request failed|network error|an error occurred|Error)$/i;

/**
 * Node, and tools in Rust, end a chain of causes with what the system said, and name at its head what they were about.
 * In Java the head is about as much as the innermost cause, and both together are too long.
 */
function withSubject(lines: readonly StderrLine[], at: number): string | undefined {
  const link = /^(?:\[cause\]|Caused by): /;
  const head = lines.slice(0, at).findLast(({ text }) => !link.test(text))?.text;
  const { text } = lines[at]!;
  if (head === undefined || !link.test(text) || VAGUE.test(head)) return undefined;
  const isChain = text.startsWith('[cause]') ? /^[\w.$]*Error\b.*: /.test(head) : head.startsWith('error: ');
  return isChain ? `${head}: ${text.replace(link, '').replace(/^Error: /, '')}` : undefined;
}

/** The part of a line that is shown. */
export function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_CHARACTERS ? line : `${line.slice(0, MAX_CHARACTERS - 1)}…`;
}

const completions: readonly Complete[] = [
  // Node: a promise that was rejected with something else than an error.
  (text) => /^\[?UnhandledPromiseRejection: .* with the reason "(.*)"\./.exec(text)?.[1],
  // Rust: where it panicked, and below it why.
  (text, [next]) => (/^thread '.*' .*panicked at [^']+:$/.test(text) && next ? `panic: ${next}` : undefined),
  // Ruby: where, why and the kind of error.
  (text) => /^\S+:\d+:in [`'][^`']*['`]: (.+ \(\w[\w:]*\))$/.exec(text)?.[1],
  // uv: the sentence that follows goes over several lines.
  (text, [next = '', ...rest]) =>
    /No solution found/.test(text)
      ? [
          text.replace(/^[×x] /, ''),
          next.replace(/^(?:╰─▶|`->) /, ''),
          ...untilSentenceEnds(next, rest),
        ].join(' ')
      : undefined,
  // pydantic: which field, and what is wrong with it.
  (text, [field = '', problem = '']) =>
    /\bvalidation errors? for \S+$/.test(text) && field !== ''
      ? `${text}: ${field}: ${problem.replace(/ \[type=.*$/, '')}`
      : undefined,
  // zod: a list of issues as JSON, of which the lines with a text are left.
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
