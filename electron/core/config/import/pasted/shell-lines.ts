import { splitCommandLine } from '../../../../../shared/command-line.ts';
import { withPlainQuotes } from './pasted-text.ts';

/** One command of a pasted text, as words. */
export interface ShellLine {
  readonly words: readonly string[];
  /** Assignments before it, on its own line or on lines above. */
  readonly env: Readonly<Record<string, string>>;
  /** Folder that a `cd` above it went to. */
  readonly folder?: string;
  /** A prompt stood before it, so it is a command whatever its words are. */
  readonly hasPrompt: boolean;
}

/** Longer lines are no commands that people type. */
const MAX_LINE_LENGTH = 65_536;
const MAX_LINES = 2000;
const PROMPT = /^(?:\$|%|>|❯|➜|(?:PS )?[A-Z]:\\[^>\n]*>)\s+/;
const EXPORT = /^(?:export|set|setx)\s+(?=[A-Za-z_]\w*=)/i;
const POWERSHELL = /^\$env:([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|(\S+))\s*$/i;

/** The commands of a text. Lines that only prepare (assignments, a change of the folder) are kept in those that follow. */
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

/** Leading assignments, and the words of the command behind them. */
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

/** Lines with their continuations joined (shell, PowerShell, cmd), and those of a quoted JSON; split where `&&` parts them. */
function logicalLines(text: string): readonly LogicalLine[] {
  const joined = text
    .replace(/\r/g, '')
    .replace(/[ \t]+[\\^`][ \t]*\n/g, ' ')
    .replace(/\\\n/g, ' ');
  const lines: string[] = [];
  for (const line of joined.split('\n').slice(0, MAX_LINES)) {
    const open = lines.at(-1);
    if (open !== undefined && opensJson(open)) lines[lines.length - 1] = `${open}\n${line}`;
    else lines.push(line);
  }
  return lines.flatMap((line) => (line.length > MAX_LINE_LENGTH ? [] : commandsOf(line)));
}

/** Whether a command of a client has the quote open in which its JSON stands. */
const opensJson = (line: string): boolean =>
  /\b(?:add-json|add-mcp)\b/.test(line) &&
  line.length < MAX_LINE_LENGTH &&
  (withPlainQuotes(line).match(/'/g)?.length ?? 0) % 2 === 1;

function commandsOf(raw: string): readonly LogicalLine[] {
  const line = withPlainQuotes(raw.trim()).replace(/^`([^`]+)`[.:]?$/, '$1');
  const hasPrompt = PROMPT.test(line);
  const bare = line.replace(PROMPT, '').replace(/^sudo\s+/, '');
  if (bare === '' || /^(?:#|\/\/|REM\b|::)/i.test(bare)) return [];
  return partsAtAnd(bare).map((part) => ({ line: part, hasPrompt }));
}

/** Splits at `&&` and at a `;` behind an assignment of PowerShell, outside quotes. */
function partsAtAnd(line: string): readonly string[] {
  if (!/&&|;/.test(line)) return [line];
  const parts = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|(?!\s&&\s|;\s)[\s\S])+/g) ?? [];
  return parts.map((part) => part.replace(/^(?:\s*&&\s|;)\s*/, '').trim()).filter((part) => part !== '');
}
