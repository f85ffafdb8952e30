import type { RawEntry } from '../entry/raw-entry.ts';
import type { Pair } from './server-draft.ts';

/** Start of a word, or of the value of an option; not what follows an escaped blank, because that is inside a word. */
const atStart = String.raw`(?<![^\s=]|\\[\s=])`;
/**
 * Parts of a word: a Windows path (quoted, or not), a text in either quotes, an escaped character, or plain
 * text.
 */
const parts = [
  String.raw`${atStart}"((?:[A-Za-z]:|\\)\\[^"]*)"(?=\s|$)`,
  String.raw`${atStart}((?:[A-Za-z]:\\|\.{1,2}\\|\\\\(?=\w))[^\s"']*)`,
  String.raw`"((?:\\.|[^"\\])*)"`,
  String.raw`'([^']*)'`,
  String.raw`\\(.)`,
  String.raw`[^\s"'\\]`,
].join('|');

/**
 * Splits a typed command line into command and arguments. Quotes and backslashes mean what they mean in a
 * shell, except in Windows paths, whose backslashes are kept because instructions for Windows are pasted too.
 * Nothing is expanded.
 */
export function splitCommandLine(line: string): readonly string[] {
  const words = line.match(new RegExp(`(?:${parts})+`, 'g')) ?? [];
  return words.map((word) =>
    word.replace(new RegExp(parts, 'g'), (plain: string, ...groups: (string | undefined)[]) => {
      const [quotedPath, path = quotedPath, double, single, escaped] = groups;
      if (path !== undefined) return readPath(path);
      if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
      return single ?? escaped ?? plain;
    }),
  );
}

/**
 * Path with single backslashes, because they may have been doubled for a shell; two at the beginning are a
 * network share.
 */
const readPath = (path: string): string => path.slice(0, 1) + path.slice(1).replaceAll('\\\\', '\\');

/**
 * Whether a command looks like a whole command line: it has spaces, and is no path in which they may stand.
 */
export const looksLikeCommandLine = (command: string): boolean =>
  /\S\s+\S/.test(command) && !/^\s*(?:[A-Za-z]:)?[\\/]/.test(command);

/** Entry that runs a copied command line. Undefined where a text is no single command line. */
export function entryOfCommandLine(text: string): RawEntry | undefined {
  const line = text
    .replace(/^[ \t]*(?:```|~~~).*$/gm, '')
    .replace(/\\\r?\n/g, ' ')
    .trim()
    .replace(/^\$\s+/, '');
  if (/[\r\n]/.test(line) || !looksLikeCommandLine(line)) return undefined;
  const words = splitCommandLine(line);
  const isAssignment = (word: string) => /^[A-Za-z_]\w*=/.test(word);
  const start = words.findIndex((word) => !isAssignment(word));
  if (start < 0) return undefined;
  const env = words.slice(0, start).map((word) => {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)] as const;
  });
  const [command, ...args] = words.slice(start);
  return { command, args, ...(env.length > 0 && { env: Object.fromEntries(env) }) };
}

/**
 * Pairs from lines of `NAME=value`, as in an environment file; undefined where another line is among them.
 */
export function parseAssignments(text: string): readonly Pair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line));
  if (lines.length === 0 || pairs.includes(null)) return undefined;
  return pairs.map((match) => ({ name: match?.[1] ?? '', value: unquote((match?.[2] ?? '').trim()) }));
}

/**
 * Whether a pasted text looks like a piece of configuration, not the value of one field; words may stand
 * before it.
 */
export const looksLikeSnippet = (text: string): boolean =>
  (opensConfiguration.test(text) && serverKey.test(text)) ||
  /^\s*\[\s*mcp_servers\b/m.test(text) ||
  /\bmcp\s+add(?:-json)?\s/.test(text);

/** Line that opens an object or a Markdown fence, or a name copied without the braces around it. */
const opensConfiguration = /^[ \t]*(?:\{|```|~~~)|^\s*(?:\/[/*][\s\S]*?)?"/m;
const serverKey = /"(?:mcpServers|servers|mcp|command|url|httpUrl|serverUrl|context_servers)"\s*:/;

const unquote = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
