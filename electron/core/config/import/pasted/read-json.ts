import { openText } from '../../programs/spans/open-text.ts';
import { isUnreadable } from '../../programs/spans/servers-text.ts';
import type { ImportProblem } from '../../../../../shared/manage.ts';
import type { EntryCollector } from '../entry-collector.ts';
import { withPlainQuotes } from './pasted-text.ts';
import { problemsIn } from '../read-entries.ts';
import { readServers, type ClientDocument } from './read-servers.ts';

/** Matches a fragment of a configuration file that starts with a server's name, without the outer braces. */
const STARTS_WITH_NAME = /^\s*(?:\/[/*].*\n\s*)*"(?:[^"\\\n]|\\.)*"\s*:/;
const NAMES_A_SERVER =
  /["'\u201c\u201d](?:command|url|serverUrl|server_url|httpUrl|baseUrl|mcpServers|servers)["'\u201c\u201d]\s*:/;

/** Reports whether a text is meant as JSON, even if malformed. */
export function looksLikeJson(text: string): boolean {
  const bare = withoutProse(text).trimStart();
  return /^(?:\{|\[\s*(?:\{|\]|$)|\/[/*])/.test(bare) || STARTS_WITH_NAME.test(withPlainQuotes(bare));
}

/** Reports whether a malformed JSON text was meant to name servers. */
export const namesServers = (text: string): boolean => NAMES_A_SERVER.test(text);

/**
 * Collects the servers from a JSON text. Comments, trailing commas, missing outer braces and prose around the JSON are
 * accepted. If the text cannot be parsed, it is repaired and parsed again: with plain quotes, with unescaped quotes, and
 * without the `...` of abridged examples. Returns the problem if nothing helps.
 */
export function readJson(text: string, collector: EntryCollector): ImportProblem | undefined {
  const bare = withWholePaths(withoutProse(text));
  const first = openWithBraces(bare);
  if (!('message' in first)) return readServers(first, collector);
  for (const { repair, remark } of REPAIRS) {
    const mended = repair(bare);
    if (mended === bare) continue;
    const repaired = openWithBraces(mended);
    if ('message' in repaired) continue;
    return readServers(repaired, collector, remark === undefined ? {} : { remarks: [remark] });
  }
  return first;
}

/** Doubles single backslashes in Windows paths, which JSON would read as a tab or refuse. */
const withWholePaths = (text: string): string =>
  text.replace(/"(?:[\w-]{0,100}=)?[A-Za-z]:\\(?![\\"/])[^"\n]*"/g, (path) =>
    path.replace(/\\\\?/g, String.raw`\\`),
  );

const REPAIRS: readonly { readonly repair: (text: string) => string; readonly remark?: string }[] = [
  { repair: withPlainQuotes },
  { repair: (text) => text.replaceAll('\\"', '"') },
  {
    repair: (text) => withoutEllipses(withPlainQuotes(text)),
    remark: 'the pasted text leaves something out ("..."): check whether it is complete',
  },
];

/**
 * Matches a quoted text, a comment, or an ellipsis that is in neither. An unclosed quoted text or comment extends to its latest
 * possible end; otherwise the search would start again at each of its characters and take far too long.
 */
const ELLIPSIS = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|(?:\.{3,}|\u2026)[ \t]*,?/g;

function withoutEllipses(text: string): string {
  let last = '';
  return text.replace(ELLIPSIS, (match: string, offset: number) => {
    const isEllipsis = /^[.\u2026]/.test(match);
    const key = /"\s*:\s*$/.test(text.slice(Math.max(0, offset - 20), offset)) ? last : undefined;
    if (!isEllipsis) {
      if (match.startsWith('"')) last = match;
      return match;
    }
    if (key === undefined) return ' '.repeat(match.length);
    const comma = match.endsWith(',') ? ',' : '';
    if (key === '"args"') return `[]${comma}`;
    return /^"(?:env|headers)"$/.test(key) ? `{}${comma}` : `"..."${comma}`;
  });
}

/** Returns the value of a JSON text; undefined if it cannot be read. */
export function jsonIn(text: string): unknown {
  const opened = openText('json', text);
  return isUnreadable(opened) ? undefined : opened.value;
}

/** Opens a text, with braces added around it if it starts with a name. */
function openWithBraces(text: string): ClientDocument | ImportProblem {
  const opened = openText('json', text);
  if (!isUnreadable(opened)) return { value: opened.value, problemAt: problemsIn(opened) };
  if (!STARTS_WITH_NAME.test(text)) return { path: '', ...opened };
  const braced = openText('json', `{${text.replace(/,\s*$/, '')}\n}`);
  if (isUnreadable(braced)) return beforeBrace({ path: '', ...braced });
  const problemAt = problemsIn(braced);
  return { value: braced.value, problemAt: (...problem) => beforeBrace(problemAt(...problem)) };
}

/** Corrects the column of a problem in the first line, which the added brace has shifted by one. */
const beforeBrace = ({ column, ...problem }: ImportProblem): ImportProblem =>
  column === undefined ? problem : { ...problem, column: problem.line === 1 ? column - 1 : column };

/** Empties the lines before the first that opens an object and those after the last that closes one, because they are prose. */
function withoutProse(text: string): string {
  const lines = text.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const from = lines.findIndex((line) => /^\s*\{/.test(line));
  if (from < 0 || !/^\s*[\p{L}\d#>*-]/u.test(first)) return text;
  const to = lines.findLastIndex((line) => /\}[\s,]*$/.test(line)) + 1;
  return lines.map((line, index) => (index >= from && index < to ? line : '')).join('\n');
}
