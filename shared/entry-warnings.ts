import { engineOf } from './container-run.ts';
import { hasHiddenCharacters } from './hidden-characters.ts';
import { isJsonObject, type JsonObject } from './json-object.ts';
import { programName } from './program-name.ts';

/** Variables that make a program load code, or that decide which program is found. */
const LOADS_CODE =
  /^(?:LD_|DYLD_|PYTHON|npm_config_|(?:UV|PIP)_\w{0,30}INDEX|(?:NODE_OPTIONS|NODE_PATH|PATH|PATHEXT|COMSPEC|BASH_ENV|(?:JAVA_TOOL|_JAVA|JDK_JAVA)_OPTIONS|RUBYOPT|RUBYLIB|PERL5OPT|PERL5LIB|DOTNET_STARTUP_HOOKS)$)/i;
/** Common Python variables that load no code. */
const HARMLESS = /^PYTHON(?:UNBUFFERED|IOENCODING|UTF8|DONTWRITEBYTECODE|HASHSEED|WARNINGS)$/;

/** True if a variable decides which code runs. */
export const changesProgram = (variable: string): boolean =>
  LOADS_CODE.test(variable) && !HARMLESS.test(variable);

/** Returns the warnings that the user must see before an entry from elsewhere runs, one sentence each. */
export function warningsOf({ command, args, env, url }: JsonObject): readonly string[] {
  const words = [command, ...(Array.isArray(args) ? (args as readonly unknown[]) : [])].filter(
    (word) => typeof word === 'string',
  );
  const variables = [...Object.keys(isJsonObject(env) ? env : {}), ...words.flatMap(variableIn)];
  const texts = [...words, ...(typeof url === 'string' ? [url] : [])];
  const mixtures = new Set(texts.flatMap(mixturesIn));
  return [
    ...[...new Set(variables)].filter(changesProgram).map((name) => `${name} can load other code.`),
    ...(runsScript(words) ? ['It runs a shell script.'] : []),
    ...(seesWholeDisk(words) ? ['It sees your whole disk.'] : []),
    ...(texts.some(hasHiddenCharacters) ? ['It has characters that cannot be seen.'] : []),
    ...mixtures,
  ];
}

/** Name of a variable that an argument sets: `NODE_OPTIONS=…` after `env`, `--env=NODE_OPTIONS=…`. */
function variableIn(word: string): readonly string[] {
  const name = /^(?:--env=|-e)?([A-Za-z_]\w{0,99})=/.exec(word)?.[1];
  return name === undefined ? [] : [name];
}

/** Writing systems with letters that look like Latin ones. */
const SCRIPTS = (['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic', 'Lisu'] as const).map(
  (name) => [name, new RegExp(String.raw`\p{Script=${name}}`, 'u')] as const,
);

/** Returns warnings about parts of a name or a path that mix Latin letters with those of another writing system. */
function mixturesIn(text: string): readonly string[] {
  if (!/[\u0370-\uffff]/.test(text)) return [];
  return text.split(/[\s/\\]/).flatMap((part) => {
    if (!/\p{Script=Latin}/u.test(part)) return [];
    const others = SCRIPTS.filter(([, letters]) => letters.test(part)).map(([name]) => name);
    return others.length === 0
      ? []
      : [`"${part.slice(0, 100)}" mixes Latin and ${others.join(' and ')} letters.`];
  });
}

/** True if the words of a command line start a container that can access every file of this machine. */
function seesWholeDisk(words: readonly string[]): boolean {
  const engine = words.findIndex((word) => engineOf(word) !== undefined);
  return engine >= 0 && words.slice(engine + 1).some(reachesAll);
}

function reachesAll(word: string): boolean {
  if (/^--privileged(?:$|=(?!false))/.test(word)) return true;
  // Matches arguments that share the whole disk (`-v /:/host`, `-v/:/host`, `-itv=/:/host`, `--volume=/:/host`) or the socket
  // that controls an engine.
  const volume = word.replace(/^(?:--volume=|-[A-Za-z]{0,20}v=?)/, '');
  if (isWholeDisk(sourceOf(volume)) && volume.length > sourceOf(volume).length) return true;
  const fields = word.replace(/^--mount=/, '').split(',');
  return fields.some((field) => isWholeDisk(/^(?:source|src)=(.*)$/s.exec(field)?.[1] ?? ''));
}

/** Returns the host folder before the colon of a volume. The colon after a drive letter is part of the folder. */
function sourceOf(volume: string): string {
  const drive = /^[A-Za-z]:[\\/]/.test(volume) ? 2 : 0;
  const colon = volume.indexOf(':', drive);
  return colon < 0 ? volume : volume.slice(0, colon);
}

/** True if a path is the root of a disk in any notation, or the socket of a container engine. */
function isWholeDisk(path: string): boolean {
  if (/[\\/](?:docker|podman)\.sock$/.test(path)) return true;
  if (!/^(?:[A-Za-z]:)?[\\/]/.test(path)) return false;
  const left: string[] = [];
  for (const part of path.replace(/^[A-Za-z]:/, '').split(/[\\/]/)) {
    if (part === '..') left.pop();
    else if (part !== '' && part !== '.') left.push(part);
  }
  return left.length === 0;
}

interface Interpreter {
  readonly programs: RegExp;
  /** True if an argument of the program is, or introduces, the text of a script that the program runs. */
  readonly takesScript: (word: string) => boolean;
  /** Option that, together with its value, ends the options of the program. */
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

/** First character of an option of a Unix, Windows or PowerShell program; PowerShell also accepts typographic dashes. */
const OPTION = /^[-/\u2013\u2014\u2015]/;

/** True if a PowerShell option runs a script. PowerShell accepts every prefix of an option's name. */
const isScriptOption = (option: string): boolean =>
  option === 'ec' ||
  option === 'cwa' ||
  (option !== '' && ['commandwithargs', 'encodedcommand'].some((name) => name.startsWith(option)));

/** Characters with which a Windows command line does more than start a program with its arguments. */
const CMD_MARKS = /[\s&|<>^%()"]/;

/**
 * True if a command line runs a text as a script: `sh -c …`, `powershell -Command …`, `node -e …`, also after other programs.
 * `cmd /c npx -y name` does not count: it only starts a program, and is common in instructions for Windows.
 */
function runsScript(words: readonly string[]): boolean {
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
    // Options end at the second word that is not an option, because the first may be the value of the option before it.
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
