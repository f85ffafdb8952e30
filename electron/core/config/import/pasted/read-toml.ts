import { parse, TomlError } from 'smol-toml';
import type { ImportProblem } from '../../../../../shared/manage.ts';
import type { EntryCollector } from '../entry-collector.ts';
import { withPlainQuotes } from './pasted-text.ts';
import { readServersOfValue } from './read-servers.ts';

/** Maximum characters and nesting of a text; no client's file has more. */
const MAX_LENGTH = 65_536;
/** Each blank matches in one way only, because two ways for each would mean 2^60 for all. */
const DEEP = /(?:[[{.][ \t\n]*(?:[\w"']+[ \t]*)?(?:=[ \t]*)?){60}/;
const HEADER = /^[ \t]*\[{1,2}[ \t]*(?:mcp_servers|mcpServers|mcp\.servers)\b/m;

/** Reports whether a text has the tables in which Codex keeps its servers. */
export const looksLikeToml = (text: string): boolean => HEADER.test(text);

/** Reads the `[mcp_servers.<name>]` tables of a text; ignores prose before and after them. */
export function readToml(text: string, collector: EntryCollector): ImportProblem | undefined {
  const bare = tablesOf(text);
  if (bare.length > MAX_LENGTH || DEEP.test(bare))
    return { path: '', message: 'it is too long or too deeply nested for a TOML of servers' };
  const value = parsed(bare);
  if (!(value instanceof TomlError)) return readServersOfValue(value, collector);
  const mended = parsed(withPlainQuotes(bare));
  if (!(mended instanceof TomlError)) return readServersOfValue(mended, collector);
  // The parser's message quotes the line, which may hold a secret.
  return { path: '', message: 'it is not valid TOML from here on', line: value.line, column: value.column };
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) return error;
    // The parser recurses for each level.
    if (error instanceof RangeError) return new TomlError('it is nested too deeply', { toml: '', ptr: 0 });
    throw error;
  }
}

/** Keeps the lines from the first table to the last line of one, and blanks the others. */
function tablesOf(text: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => HEADER.test(line));
  const to = lines.findLastIndex(
    (line) => /^\s*[\w."'-]+\s*=|[\]}"',]\s*#/.test(line) || /[\]}"',]$/.test(line.trimEnd()),
  );
  return lines.map((line, index) => (index >= from && index <= to ? line : '')).join('\n');
}
