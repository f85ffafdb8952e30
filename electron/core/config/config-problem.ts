/** Why something in servers.json is not in force, in words for people. Line and column count from 1. */
export interface ConfigProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** A problem at a character of `text` (which has no byte order mark any more). */
export function problemAt(text: string, offset: number, message: string): ConfigProblem {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { message, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
