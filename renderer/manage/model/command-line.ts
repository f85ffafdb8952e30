import type { Pair } from './server-draft.ts';

/** A typed command line as command and arguments; quotes and backslashes mean what they mean in a shell. */
export function splitCommandLine(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(
      /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g,
      (_, double?: string, single?: string, escaped?: string) =>
        double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

/** Whether a command is rather a whole command line: spaces, and no path in which they may stand. */
export const looksLikeCommandLine = (command: string): boolean =>
  /\S\s+\S/.test(command) && !/^\s*(?:[A-Za-z]:)?[\\/]/.test(command);

/** Lines of `NAME=value`, as an environment file has them; undefined where a text is none. */
export function parseAssignments(text: string): readonly Pair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line));
  if (lines.length === 0 || pairs.includes(null)) return undefined;
  return pairs.map((match) => ({ name: match?.[1] ?? '', value: unquote((match?.[2] ?? '').trim()) }));
}

/** Whether a pasted text is rather a piece of configuration than the value of one field. */
export const looksLikeSnippet = (text: string): boolean =>
  /^\s*(?:\/[/*][\s\S]*?)?[{"][\s\S]*"(?:mcpServers|servers|mcp|command|url|httpUrl|serverUrl|context_servers)"\s*:/.test(
    text,
  ) ||
  /^\s*\[\s*mcp_servers\b/m.test(text) ||
  /\bmcp\s+add(?:-json)?\s/.test(text);

const unquote = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
