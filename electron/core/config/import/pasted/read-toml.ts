import type { ImportProblem } from '../../../../../shared/manage.ts';
import { isUnreadable } from '../../programs/spans/servers-text.ts';
import { openTomlText } from '../../programs/spans/toml-text.ts';
import type { EntryCollector } from '../entry-collector.ts';
import { withPlainQuotes } from './pasted-text.ts';
import { readServersOfValue } from './read-servers.ts';

/** Maximum characters and nesting depth of a text; no client's file has more. */
const MAX_LENGTH = 65_536;
/** Each blank can match in only one way, because two ways for each blank would mean 2^60 combinations. */
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

/** Keeps the lines from the first table to the last line of one, and blanks the others. */
function tablesOf(text: string): string {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => HEADER.test(line));
  const to = lines.findLastIndex(
    (line) => /^\s*[\w."'-]+\s*=|[\]}"',]\s*#/.test(line) || /[\]}"',]$/.test(line.trimEnd()),
  );
  return lines.map((line, index) => (index >= from && index <= to ? line : '')).join('\n');
}
