import type { Pair } from './server-draft.ts';

/** Pairs from lines of `NAME=value`, as in an environment file; undefined if the text has any other line. */
export function parseAssignments(text: string): readonly Pair[] | undefined {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line));
  if (lines.length === 0 || pairs.includes(null)) return undefined;
  return pairs.map((match) => ({ name: match?.[1] ?? '', value: unquote((match?.[2] ?? '').trim()) }));
}

/**
 * Whether a pasted text looks like a piece of configuration or an instruction to add a server, not the value of one
 * field; other text may precede it.
 */
export const looksLikeSnippet = (text: string): boolean =>
  (serverKey.test(text) && opensConfiguration(text)) ||
  /^[ \t]*\[[ \t]*(?:mcp_servers|mcpServers)\b/m.test(text) ||
  /^[ \t]*(?:extensions|mcpServers|mcp_servers)[ \t]*:[ \t]*(?:#.*)?$/m.test(text) ||
  /\bmcp\s+add(?:-json)?\s|\s--add-mcp\b/.test(text) ||
  installLink.test(text);

/**
 * Whether a text pasted into the name or the command of an empty form may be a whole server: a command line, an
 * address, a scoped package.
 */
export const mayBeServer = (text: string): boolean =>
  looksLikeSnippet(text) ||
  /\S\s+\S/.test(text) ||
  /^\s*(?:`{3}|[a-z][a-z+.-]+:\/\/|@[\w.-]+\/\w)/i.test(text);

/** Whether a line opens an object or a Markdown fence, or a name was copied without the braces around it. */
function opensConfiguration(text: string): boolean {
  if (/^[ \t]*(?:\{|```|~~~|["\u201c])/m.test(text)) return true;
  const comment = text.search(/^[ \t]*\/[/*]/m);
  return comment !== -1 && /["\u201c]/.test(text.slice(comment));
}

const serverKey =
  /["\u201c\u201d](?:mcpServers|servers|mcp|command|url|httpUrl|serverUrl|context_servers|packages|remotes|mcp_config)["\u201c\u201d]\s*:/;
const installLink =
  /\b(?:cursor|vscode|vscode-insiders|goose|lmstudio):(?:\/\/)?\S{0,500}?(?:install|extension|mcp)|https:\/\/\S{0,500}?(?:redirect\/mcp\/install|install-mcp|redirect\?url=vscode)/;

const unquote = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
