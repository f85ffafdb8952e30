const PROPERTY = /^\s+(?:'[^']*'|\[?[\w$]+\]?): /;
const ERROR = /^\s*(?:Uncaught )?[\w.$]*(?:Error|Exception)\b.*: /;
const CLOSING = /^\s*[}\]]+[,;)]*$/;

/** Refused input, which the message does not contain. */
const INPUT = /^\s+input: (.+?),?$/;
/** Nested error with a message of its own: a cause, or an error of a list. */
const NESTED_ERROR = /^\s+\[(?:cause|errors?|error)\]: /;

/**
 * Removes the properties that Node and Bun print behind an error (`errno: -3008,`), in braces that the last line of its stack
 * opens. A refused input is appended to its message.
 */
export function withoutObjectDumps(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let depth = 0;
  let errorAt = -1;
  for (const line of lines) {
    const isNestedError = NESTED_ERROR.test(line);
    const isError = isNestedError || ERROR.test(line);
    if (isError) errorAt = kept.length;
    if (depth > 0 && !isError) {
      const input = INPUT.exec(line)?.[1];
      if (input !== undefined && errorAt >= 0) kept[errorAt] += ` (input: ${input})`;
      if (CLOSING.test(line)) depth -= 1;
      else if (/[{[]$/.test(line)) depth += 1;
      if (CLOSING.test(line) || PROPERTY.test(line)) continue;
    } else if (/[{[]$/.test(line)) depth += 1;
    kept.push(line);
  }
  return kept;
}
