import { programName } from '../../shared/program-name.ts';

interface Interpreter {
  readonly programs: RegExp;
  /** Whether a word behind the program says that a script follows, or is one. */
  readonly takesScript: (word: string) => boolean;
  /** Option behind whose value no option belongs to the program. */
  readonly last?: string;
}

const INTERPRETERS: readonly Interpreter[] = [
  {
    programs: /^(?:sh|bash|dash|ash|zsh|fish|ksh|mksh)$/,
    takesScript: (word) => /^-[A-Za-z]*c|^--command/.test(word),
  },
  {
    programs: /^(?:powershell|pwsh)$/,
    takesScript: (word) =>
      /[\s;|&(]/.test(word) || (OPTION.test(word) && isScriptOption(word.slice(1).toLowerCase())),
  },
  {
    programs: /^(?:node|bun|deno)$/,
    takesScript: (word) => /^(?:-[a-z]*[ep]|eval)$|^--(?:eval|print)(?:$|=)/.test(word),
  },
  {
    programs: /^(?:python[\d.]*|pypy[\d.]*|py)$/,
    takesScript: (word) => /^-[A-Za-z]*c/.test(word),
    last: '-m',
  },
  { programs: /^(?:ruby|perl|php)$/, takesScript: (word) => /^-[A-Za-z]*[eEr]/.test(word) },
  {
    programs: /^(?:npx|npm|pnpm|pnpx)$/,
    takesScript: (word) => /^(?:-c|--shell-mode)$|^--call(?:$|=)/.test(word),
  },
  { programs: /^env$/, takesScript: (word) => /^-[A-Za-z]*S|^--split-string/.test(word) },
];

/** Options as programs of Unix, of Windows and PowerShell know them; the latter takes typographic dashes as well. */
const OPTION = /^[-/\u2013\u2014\u2015]/;

/** PowerShell takes every beginning of the name of an option. */
const isScriptOption = (option: string): boolean =>
  option === 'ec' ||
  option === 'cwa' ||
  (option !== '' && ['commandwithargs', 'encodedcommand'].some((name) => name.startsWith(option)));

/** What makes the command line of Windows more than a program with its words. */
const CMD_MARKS = /[\s&|<>^%()"]/;

/**
 * Whether a command line runs a text as a script: `sh -c …`, `powershell -Command …`, `node -e …`, behind other programs
 * as well. `cmd /c npx -y name` only starts a program, as instructions for Windows have it.
 */
export function runsScript(words: readonly string[]): boolean {
  const open = new Set<Interpreter>();
  let isOption = false;
  let cmd: 'none' | 'options' | 'command' = 'none';
  for (const word of words) {
    if ([...open].some(({ takesScript }) => takesScript(word))) return true;
    if (cmd === 'command' && CMD_MARKS.test(word)) return true;
    if (cmd === 'options' && /^\/(?:[a-z]\/){0,9}[ck]/i.test(word)) {
      if (!/^\/[ck]$/i.test(word)) return true;
      cmd = 'command';
    }
    // Options end at the second word that is none, because the first may be the value of the option before it.
    const wasOption = isOption;
    isOption = OPTION.test(word);
    if (!isOption && !wasOption) open.clear();
    for (const interpreter of open) if (interpreter.last === word) open.delete(interpreter);
    const program = programName(word);
    for (const interpreter of INTERPRETERS) if (interpreter.programs.test(program)) open.add(interpreter);
    if (program === 'cmd' && cmd === 'none') cmd = 'options';
  }
  return false;
}
