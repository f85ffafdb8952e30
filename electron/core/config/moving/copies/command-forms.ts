import { createHash } from 'node:crypto';
import { splitCommandLine } from '../../../../../shared/command-line.ts';
import { packageRunOfCommand } from '../../../../../shared/package-run.ts';
import { programName } from '../../../../../shared/program-name.ts';
import { wrapperOfProcess } from '../../../platform/wrapper-programs.ts';

/** One form in which the command line of a server may appear in the process table. */
interface CommandForm {
  /** Name of the program. If it has slashes at both ends, it is instead a folder that contains the program. */
  readonly mark: string;
  /**
   * Arguments after the program as one text that starts with a space. The text is split at placeholders such as `${env:TOKEN}`,
   * because the values that the client fills in are not known here.
   */
  readonly rest: readonly string[];
  /** Folder that must occur in the path before the program's name. */
  readonly below?: string;
}

/** A process whose command line is compared. */
interface CommandRow {
  /** Short name of the program. */
  readonly command: string;
  /** Undefined if the system does not report it. */
  readonly commandLine?: string;
}

/** Maximum characters of a command line. Longer ones contain whole programs (`node -e …`). */
const MAX_TEXT = 16_384;
/** Matches placeholders that the client replaces by values when it starts a server: `${env:TOKEN}`, `{env:TOKEN}`. */
export const FILLED_IN = /\$\{[^{}]{1,200}\}|\{(?:env|file):[^{}]{1,200}\}/;
/** Endings that may follow a program's name in its file name. */
const ENDINGS = ['', '.exe', '.cmd', '.bat', '.ps1', '.js', '.mjs', '.cjs', '.py', '-cli.js'];
const INTERPRETER = /^(?:node|nodejs|bun|deno|python[\d.]*|ruby|java|perl|php|dotnet)$/i;

export const isInterpreter = (command: string): boolean => INTERPRETER.test(withoutEnding(command));

/** Returns a program's file name without the ending that Windows adds. Keeps the case, which distinguishes some programs. */
export const withoutEnding = (path: string): string => {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:exe|cmd|bat|ps1)$/i, '');
};

/** Makes a command line comparable across systems and shells: no quotes, slashes for backslashes, no repeated spaces. */
export const plainText = (text: string): string =>
  text.slice(0, MAX_TEXT).replace(/["']/g, '').replaceAll('\\', '/').replace(/\s+/g, ' ').trim();

/** Maximum number of nested shells whose inner command line is extracted. */
const MAX_DEPTH = 3;

/**
 * Returns all forms in which the processes of a command line may appear in the process table: as written, without the shell or
 * `env` around it, and as the program of the package that it runs.
 */
export function commandForms(words: readonly string[], depth = 0): readonly CommandForm[] {
  const [command = '', ...args] = words;
  const inner = depth < MAX_DEPTH ? wrappedWords(words) : [];
  const own = [form(withoutEnding(command), args), ...packageForms(words)];
  return [
    ...own.filter(({ mark }) => mark !== ''),
    ...(inner.length > 0 ? commandForms(inner, depth + 1) : []),
  ];
}

/** True if a process was started with a command line of this form. Texts are compared literally, never as regular expressions. */
export function isOfForm({ command, commandLine }: CommandRow, text: string, form: CommandForm): boolean {
  const isFolder = form.mark.startsWith('/');
  const runs = wrapperOfProcess(command) !== undefined || isInterpreter(command);
  const short = withoutEnding(command);
  if (commandLine === undefined) return !runs && !isFolder && form.mark === short;
  // A process that only reads the program's file, such as an editor, has the file's name among its arguments, too. Therefore
  // its own name must match, unless it is a wrapper or an interpreter. Linux cuts long names.
  if (!runs && (isFolder || !form.mark.startsWith(short))) return false;
  for (let at = text.indexOf(form.mark); at >= 0; at = text.indexOf(form.mark, at + 1)) {
    const behind = text.slice(at + form.mark.length);
    if (isFolder) {
      const blank = behind.indexOf(' ');
      if (follows(blank < 0 ? '' : behind.slice(blank), form.rest)) return true;
    } else if (at === 0 || text[at - 1] === '/' || text[at - 1] === ' ') {
      if (form.below !== undefined && !text.slice(0, at).includes(form.below)) continue;
      const isIt = (ending: string) =>
        behind.startsWith(ending) && follows(behind.slice(ending.length), form.rest);
      if (ENDINGS.some(isIt)) return true;
    }
  }
  return false;
}

/**
 * True if a process with these arguments was started with a command line of this form. Only the name of the program, or of an
 * interpreter's script, is compared; the same name in another argument, or in a folder above the program, does not match.
 */
export function isRunOf(argv: readonly string[], { mark, rest, below }: CommandForm): boolean {
  const [title = ''] = argv;
  // A mark with a space is the title `npm exec`, with which npm replaces its own arguments by a single text.
  if (mark.includes(' ')) return argv.length === 1 && startsAndFollows(plainText(title), mark, rest);
  return programWords(argv).some(([path = '', ...args]) => {
    const program = plainText(path);
    const words = args.map(plainText).filter((word) => word !== '');
    if (!follows(words.length === 0 ? '' : ` ${words.join(' ')}`, rest)) return false;
    if (mark.startsWith('/')) return program.includes(mark);
    const name = program.slice(program.lastIndexOf('/') + 1);
    return ENDINGS.some((ending) => name === mark + ending) && program.includes(below ?? '');
  });
}

/** Returns the arguments from the program on, and, if the program is an interpreter, also those from its script on. */
export function programWords(argv: readonly string[]): readonly (readonly string[])[] {
  const [program = ''] = argv;
  const script = isInterpreter(program)
    ? argv.findIndex((word, index) => index > 0 && !word.startsWith('-'))
    : -1;
  return script < 0 ? [argv] : [argv, argv.slice(script)];
}

const startsAndFollows = (text: string, mark: string, rest: readonly string[]): boolean =>
  text.startsWith(mark) && follows(text.slice(mark.length), rest);

function form(mark: string, args: readonly string[], below?: string): CommandForm {
  const plain = args.map((word) => plainText(word.split(FILLED_IN).join('\0')));
  const rest = plain.filter((word) => word !== '').join(' ');
  return { mark, rest: (rest === '' ? '' : ` ${rest}`).split('\0'), ...(below !== undefined && { below }) };
}

/** True if `text` consists of the given parts in this order, with any text between them. */
function follows(text: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}

/**
 * Returns the command line that a shell, `cmd /c` or `env` runs. Such a program may replace itself by that command line, which
 * then appears in its place. Empty for other programs.
 */
function wrappedWords([command = '', ...args]: readonly string[]): readonly string[] {
  const name = programName(command);
  const isOption = (word: string) => /^(?:-|[A-Za-z_]\w*=)/.test(word);
  if (name === 'env') return args.filter((_, index) => !args.slice(0, index + 1).every(isOption));
  if (name === 'cmd' && /^\/c$/i.test(args[0] ?? '')) return args.slice(1);
  const isShell = wrapperOfProcess(name)?.kind === 'shell';
  const at = args.findIndex((word) => /^-[a-z]{0,4}c$/.test(word));
  return isShell && at >= 0 ? splitCommandLine(args[at + 1] ?? '') : [];
}

/**
 * Returns the forms in which `npx -y PACKAGE`, `uvx PACKAGE` and the like appear: the title that the package runner gives its
 * process, and the program of the package.
 */
function packageForms(words: readonly string[]): readonly CommandForm[] {
  const [command = '', ...args] = words;
  const run = packageRunOfCommand(command, args);
  if (run?.program === undefined) return [];
  const { packages, program, runner } = run;
  const behind = words.slice(words.indexOf(program) + 1);
  if (/^(?:uv|pipx)/.test(runner)) {
    const name = program.split(/[@[<>=!~; ]/)[0] ?? program;
    return [form(name, behind, runner.startsWith('uv') ? '/uv/' : '/pipx/')];
  }
  const isPackage = packages.some((name) => program === name || program.startsWith(`${name}@`));
  const name = withoutEnding(isPackage ? (packages[0] ?? program) : program);
  return [
    // npm replaces the arguments of its process by this title, which does not contain npm's own options.
    form('npm exec', [program, ...behind]),
    // npm installs packages for `npx` into a cache folder with this name.
    ...(isPackage ? [form(`/_npx/${npxFolder(program)}/`, behind)] : []),
    ...packages.map((one) => form(`/node_modules/${one}/`, behind)),
    form(name, behind, '/node_modules/.bin/'),
  ];
}

/** Returns the name of the folder in npm's cache, below `_npx`, into which `npx` installs a package spec. */
export const npxFolder = (spec: string): string =>
  createHash('sha512').update(spec).digest('hex').slice(0, 16);
