/** Reason why a part of servers.json is not in force, in words for users. Line and column count from 1. */
export interface ConfigProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Creates a problem at a character of `text`, which has no byte order mark. */
export function problemAt(text: string, offset: number, message: string): ConfigProblem {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { message, line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
