import { programName } from '../../shared/program-name.ts';

interface Interpreter {
  readonly programs: RegExp;
  /** Whether a word after the program announces a script, or is one. */
  readonly takesScript: (word: string) => boolean;
  /** Option that ends the options of the program together with its value. */
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

/** Options of Unix, Windows and PowerShell programs; PowerShell also accepts typographic dashes. */
const OPTION = /^[-/\u2013\u2014\u2015]/;

/** PowerShell accepts every prefix of an option's name. */
const isScriptOption = (option: string): boolean =>
  option === 'ec' ||
  option === 'cwa' ||
  (option !== '' && ['commandwithargs', 'encodedcommand'].some((name) => name.startsWith(option)));

/** Characters that make a Windows command line more than a program with its words. */
const CMD_MARKS = /[\s&|<>^%()"]/;

/**
 * Whether a command line runs a text as a script: `sh -c …`, `powershell -Command …`, `node -e …`, also after other
 * programs. `cmd /c npx -y name` only starts a program, and is common in instructions for Windows.
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
    // Options end at the second word that is no option, because the first may be the value of the option before it.
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
