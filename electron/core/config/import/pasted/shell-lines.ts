import { splitCommandLine } from '../../../../../shared/command-line.ts';
import { withPlainQuotes } from './pasted-text.ts';

/** One command of a pasted text, split into words. */
export interface ShellLine {
  readonly words: readonly string[];
  /** Variables assigned before the command, on its own line or on lines above. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder of a `cd` above the command; undefined without a `cd`. */
  readonly folder?: string;
  /** True if a shell prompt precedes the words, which shows that they are a command and not prose. */
  readonly hasPrompt: boolean;
}

/** Maximum length of a line, in characters. Longer lines were not typed by a person, and are skipped. */
const MAX_LINE_LENGTH = 4096;
/** Maximum characters of a client's command with JSON, over all its lines. */
const MAX_COMMAND_LENGTH = 65_536;
const MAX_LINES = 2000;
const PROMPT = /^(?:\$|%|>|❯|➜|(?:PS )?[A-Z]:\\[^>\n]*>)\s+/;
const EXPORT = /^(?:export|set|setx)\s+(?=[A-Za-z_]\w*=)/i;
const POWERSHELL = /^\$env:([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))\s*$/i;

/** Returns the commands of a text. Assignments and `cd` lines are merged into the commands that follow. */
export function shellLines(text: string): readonly ShellLine[] {
  const found: ShellLine[] = [];
  let env: Record<string, string> = {};
  let folder: string | undefined;
  for (const { line, hasPrompt } of logicalLines(text)) {
    const own = wordsOf(line);
    env = { ...env, ...(own.words.length === 0 ? own.env : {}) };
    if (own.words.length === 0) continue;
    if (own.words[0] === 'cd' && own.words.length === 2) folder = own.words[1];
    else
      found.push({
        words: own.words,
        env: { ...env, ...own.env },
        hasPrompt,
        ...(folder !== undefined && { folder }),
      });
  }
  return found;
}

/** Splits a line into leading assignments and the words of the command. */
function wordsOf(line: string): Pick<ShellLine, 'words' | 'env'> {
  const powershell = POWERSHELL.exec(line);
  if (powershell !== null) {
    const [, name = '', ...values] = powershell;
    return { words: [], env: { [name]: values.find((value) => value !== undefined) ?? '' } };
  }
  const words = splitCommandLine(line.replace(EXPORT, ''));
  const isAssignment = (word: string) => /^[A-Za-z_]\w*=/.test(word);
  const first = words.findIndex((word) => !isAssignment(word));
  const start = first < 0 ? words.length : first;
  const pairs = words.slice(0, start).map((word): [string, string] => {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)];
  });
  return { words: words.slice(start), env: Object.fromEntries(pairs) };
}

interface LogicalLine {
  readonly line: string;
  readonly hasPrompt: boolean;
}

/** Joins continued lines (shell, PowerShell, cmd) and lines of a quoted JSON, and splits at `&&`. */
function logicalLines(text: string): readonly LogicalLine[] {
  const commands: string[] = [];
  let parts: string[] = [];
  let jsonQuotes: number | undefined;
  let length = 0;
  for (const written of text.replaceAll('\r', '').split('\n')) {
    const line = written.length <= MAX_LINE_LENGTH ? written : '';
    const isContinued = continues(line);
    const own = isContinued ? line.trimEnd().slice(0, -1) : line;
    parts.push(own);
    length += own.length;
    if (jsonQuotes !== undefined || TAKES_JSON.test(own)) jsonQuotes = (jsonQuotes ?? 0) + quotesIn(own);
    const isOpen = isContinued || (jsonQuotes ?? 0) % 2 === 1;
    if (isOpen && length < MAX_COMMAND_LENGTH) continue;
    commands.push(parts.join(jsonQuotes === undefined ? ' ' : '\n'));
    [parts, jsonQuotes, length] = [[], undefined, 0];
    if (commands.length === MAX_LINES) break;
  }
  return [...commands, parts.join('\n')].flatMap(commandsOf);
}

/** True if a command continues on the next line: the line ends with a space and a continuation character, or with a backslash. */
const continues = (line: string): boolean => /[ \t][\\^`]$/.test(line.trimEnd()) || line.endsWith('\\');

/** Client commands whose quoted JSON may take several lines. */
const TAKES_JSON = /\b(?:add-json|add-mcp)\b/;

const quotesIn = (line: string): number => withPlainQuotes(line).split("'").length - 1;

function commandsOf(raw: string): readonly LogicalLine[] {
  const line = withPlainQuotes(raw.trim()).replace(/^`([^`]+)`[.:]?$/, '$1');
  const hasPrompt = PROMPT.test(line);
  const bare = line.replace(PROMPT, '').replace(/^sudo\s+/, '');
  if (bare === '' || /^(?:#|\/\/|REM\b|::)/i.test(bare)) return [];
  return partsAtAnd(bare).map((part) => ({ line: part, hasPrompt }));
}

/** Splits a line at `&&` and `;` outside of quotes. The semicolon separates a PowerShell assignment from the next command. */
function partsAtAnd(line: string): readonly string[] {
  if (!/&&|;/.test(line)) return [line];
  const parts: string[] = [];
  let from = 0;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (quote === '"' && character === '\\') at += 1;
      else if (character === quote) quote = '';
      continue;
    }
    if (/["']/.test(character) && line.includes(character, at + 1)) quote = character;
    const mark = /^(?:\s&&\s|;\s)/.exec(line.slice(at, at + 4))?.[0];
    if (mark === undefined) continue;
    parts.push(line.slice(from, at));
    from = at + mark.length;
    at = from - 1;
  }
  return [...parts, line.slice(from)].map((part) => part.trim()).filter((part) => part !== '');
}
