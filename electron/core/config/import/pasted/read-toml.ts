import type { ImportProblem } from '../../../../../shared/manage.ts';
import { isUnreadable } from '../../programs/spans/servers-text.ts';
import { openTomlText } from '../../programs/spans/toml-text.ts';
import type { EntryCollector } from '../entry-collector.ts';
import { withPlainQuotes } from './pasted-text.ts';
import { readServersOfValue } from './read-servers.ts';

/** Maximum length of a TOML text, in characters. No client's file is longer. */
const MAX_LENGTH = 65_536;
/**
 * Matches nesting that is too deep to parse. Every space can match at only one place of the pattern; with two places, the 60
 * repetitions would allow 2^60 combinations.
 */
const DEEP = /(?:[[{.][ \t\n]*(?:[\w"']+[ \t]*)?(?:=[ \t]*)?){60}/;
const HEADER = /^[ \t]*\[{1,2}[ \t]*(?:mcp_servers|mcpServers|mcp\.servers)\b/m;

/** Reports whether a text has the tables in which Codex keeps its servers. */
export const looksLikeToml = (text: string): boolean => HEADER.test(text);

/** Reads the `[mcp_servers.<name>]` tables of a text; ignores prose before and after them. */
export function readToml(text: string, collector: EntryCollector): ImportProblem | undefined {
  const bare = tablesOf(text);
  if (bare.length > MAX_LENGTH || DEEP.test(bare))
    return { path: '', message: 'it is too long or too deeply nested for a TOML of servers' };
  const opened = openTomlText(bare);
  if (!isUnreadable(opened)) return readServersOfValue(opened.value, collector);
  const mended = openTomlText(withPlainQuotes(bare));
  return isUnreadable(mended) ? { path: '', ...opened } : readServersOfValue(mended.value, collector);
}

/** Empties all lines before the first table and after the last line of a table. */
function tablesOf(text: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => HEADER.test(line));
  const to = lines.findLastIndex(
    (line) => /^\s*[\w."'-]+\s*=|[\]}"',]\s*#/.test(line) || /[\]}"',]$/.test(line.trimEnd()),
  );
  return lines.map((line, index) => (index >= from && index <= to ? line : '')).join('\n');
}
