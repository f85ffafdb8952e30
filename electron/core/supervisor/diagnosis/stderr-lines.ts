import { withoutControlSequences } from '../../../../shared/control-sequences.ts';

/** Line of stderr that may explain why the program ended. */
export interface StderrLine {
  readonly shown: string;
  /** Line without the prefixes of loggers and npm. */
  readonly text: string;
  readonly isNpm: boolean;
  /** True if it is the first line, or follows an empty one. */
  readonly beginsBlock: boolean;
}

/** Lines about how a program was built, called or ended, but never about the reason. */
const NOISE: readonly RegExp[] = [
  // Stacks: JavaScript, Java, .NET, Deno; Go; Ruby; Rust.
  /^\s*at (?:.+[)\]:\d]|<\w+>|native)(?: \{)?$/,
  /^\s+at /,
  /^\s*\.\.\. (?:\d+ (?:more|common|lines)|.*levels?\.\.\.)/,
  /^goroutine \d+ .*\]:$/,
  /^\s*\S+\.go:\d+(?: \+0x[\da-f]+)?$/,
  /^(?:created by )?[\w./*()[\]-]+\.[\w.()*[\]]+\((?:0x[\da-f]+|[{}.,?\s])*\)$/,
  /^created by \S+/,
  /^\[signal SIG\w+: /,
  /^\s+from .*:\d+(?::in .*)?$/,
  /^\s+\d+: +(?:0x[\da-f]+ - )?[\w<{].*::.*$/,
  /^stack backtrace:$/,
  /^note: (?:run with|Some details are omitted)/,
  /^--- End of /,
  /^\s*Traceback \(most recent call last\):$/,
  /^(?:\s*\+ )?Exception Group Traceback/,
  /^(?:During handling of the above exception|The above exception was the direct cause)/,
  /^Require stack:$/,
  /^- (?:\/|[A-Za-z]:\\|file:|<).*\.[cm]?[jt]sx?$/,
  // Punctuation: brackets, carets, separator lines.
  /^[\s{}[\](),;|^~=*#_+-]*$/,
  // Messages of runtimes about themselves.
  /^Node\.js v\d/,
  /^Bun v\d/,
  /^\(Use `node --trace-/,
  /^\(node:\d+\) (?!UnhandledPromiseRejection)/,
  /^(?:Debugger (?:attached|listening)|Waiting for the debugger|For help,? see: https:\/\/nodejs)/,
  /^Emitted 'error' event/,
  /^exit status \d+$/,
  // Shell messages about a signal, for which the exit status is more precise.
  /^(?:\S+: (?:line \d+: )?\d+ )?(?:Killed|Terminated|Aborted|Segmentation fault)(?: \(core dumped\))?(?:: \d+)?(?: +\S.*)?$/,
  // Usage help.
  /^(?:Run|See|Try|For more information,? try) ['"`].*(?:--?h(?:elp)?|help).*/,
  /\bA complete log of this run\b/,
  /-debug-\d+\.log$/,
  // Progress and remarks of installers.
  /^npm (?:notice|warn|WARN|info|http)\b/,
  /^npm (?:error|ERR!)\s*$/,
  /^npm (?:error|ERR!) 404$/,
  /^\[notice\] /,
  /^(?:Installed|Resolved|Prepared|Downloaded|Downloading|Audited|Built|Building|Updated|Updating) /,
  /^[\da-f]{12}: (?:Pulling|Waiting|Verifying|Download|Pull|Extracting|Already)/,
];

const NPM_PREFIX = /^npm (?:error|ERR!) ?/;
/**
 * Matches a code word that npm puts before each line of a message, as in `npm error 404 …` or `npm error enoent …`. The line
 * `npm error code E404` does not match.
 */
const NPM_CODE_WORD = /^(?:4\d\d|nospc|notarget|network|enoent|engine|notsup|[A-Z]{5,}) +(?=\S)/;

const PREFIXES: readonly RegExp[] = [
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d| UTC)?\]?[\s:|-]*/,
  /^\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?[\s:|-]+/,
  // The pid, in the format of mcp-remote and others.
  /^\[\d+\] /,
  /^\[(?:mcp|server|[\w@/-]+-mcp|mcp-[\w-]+)\]:? /i,
];

/** Returns the lines of an output that may explain why its program ended, in order. */
export function tellingLines(output: string): readonly StderrLine[] {
  const whole = withoutObjectDumps(withoutEchoedSource(withoutGroupBars(withoutBoxes(plainLines(output)))));
  let beginsBlock = true;
  return whole.flatMap((line) => {
    if (line.trim() === '') beginsBlock = true;
    if (NOISE.some((noise) => noise.test(line))) return [];
    const told = { ...readLine(line), beginsBlock };
    beginsBlock = false;
    return [told];
  });
}

function readLine(line: string): Omit<StderrLine, 'beginsBlock'> {
  const shown = line.trim();
  if (!NPM_PREFIX.test(shown)) return { shown: messageOf(shown), text: messageOf(shown), isNpm: false };
  return { shown, text: shown.replace(NPM_PREFIX, '').replace(NPM_CODE_WORD, '').trim(), isNpm: true };
}

function messageOf(line: string): string {
  const structured = jsonMessage(line) ?? logfmtMessage(line);
  if (structured !== undefined) return structured;
  // Go loggers append the fields of a message as JSON, which is removed.
  const message = line.replace(/\t\{".*\}$/, '');
  return PREFIXES.reduce((text, prefix) => text.replace(prefix, ''), message) || line;
}

/** Reads a line of a logger that writes JSON: level, message and error. */
function jsonMessage(line: string): string | undefined {
  if (!line.startsWith('{') || !line.endsWith('}')) return undefined;
  try {
    const fields = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return joined(fields['level'], fields['msg'] ?? fields['message'], fields['error'] ?? fields['err']);
  } catch {
    return undefined; // The line only looks like JSON.
  }
}

function logfmtMessage(line: string): string | undefined {
  const valueOf = (name: string): string | undefined => {
    const found = new RegExp(`(?:^|\\s)${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|(\\S+))`).exec(line);
    return found?.[1]?.replaceAll('\\"', '"') ?? found?.[2];
  };
  return /(?:^|\s)level=/.test(line)
    ? joined(valueOf('level'), valueOf('msg'), valueOf('err') ?? valueOf('error'))
    : undefined;
}

function joined(level: unknown, message: unknown, error: unknown): string | undefined {
  if (typeof message !== 'string' || message === '') return undefined;
  const cause = typeof error === 'string' && error !== '' ? `: ${error}` : '';
  return typeof level === 'string' ? `${level.toUpperCase()}: ${message}${cause}` : `${message}${cause}`;
}

/** Maximum characters of a line that patterns scan, because the text after them is not related to the cause. */
const MAX_CHARACTERS = 600;

/** Returns the lines of an output as a terminal shows them: without colours, and with only the last state of a progress bar. */
function plainLines(output: string): readonly string[] {
  return withoutControlSequences(output)
    .split('\n')
    .map((line) => lastLook(line).slice(0, MAX_CHARACTERS).trimEnd());
}

function lastLook(line: string): string {
  const looks = line.split('\r').filter((look) => look.trim() !== '');
  return looks.at(-1) ?? '';
}

const TOP = /^\s*[╭┌].*[╮┐]$/;
const BOTTOM = /^\s*[╰└][─━]*[╯┘]$/;
const SIDE = /^\s*[│┃|]\s?(.*?)\s*[│┃|]?$/;

/** Removes the frames of Python's library `rich`. Keeps the text in a frame if it is an error message, but not a traceback. */
function withoutBoxes(lines: readonly string[]): readonly string[] {
  let box: 'none' | 'message' | 'traceback' = 'none';
  return lines.flatMap((line) => {
    if (TOP.test(line)) box = /traceback/i.test(line) ? 'traceback' : 'message';
    else if (BOTTOM.test(line)) box = 'none';
    else if (box === 'none') return [line];
    else if (box === 'message') return [SIDE.exec(line)?.[1] ?? line];
    return [];
  });
}

/** Removes the bars that a Python exception group puts in front of the lines of its exceptions. */
function withoutGroupBars(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => /^\s*\+ Exception Group Traceback/.test(line))) return lines;
  return lines.filter((line) => !/^[\s+|]*-*[\s+\d-]*$/.test(line) || line === '').map(withoutBars);
}

const withoutBars = (line: string): string => line.replace(/^(?:\s*[|+])+ ?/, '');

const PROPERTY = /^\s+(?:'[^']*'|\[?[\w$]+\]?): /;
const ERROR = /^\s*(?:Uncaught )?[\w.$]*(?:Error|Exception)\b.*: /;
const CLOSING = /^\s*[}\]]+[,;)]*$/;

/** The input that a parser rejected, as Node prints it below an error whose message does not contain it. */
const INPUT = /^\s+input: (.+?),?$/;
/** Nested error with its own message: a cause, or an error of a list. */
const NESTED_ERROR = /^\s+\[(?:cause|errors?|error)\]: /;

/** Removes the properties that Node and Bun print in braces after an error (`errno: -3008,`). */
function withoutObjectDumps(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let depth = 0;
  let errorAt = -1;
  for (const line of lines) {
    const isNestedError = NESTED_ERROR.test(line);
    const isError = isNestedError || ERROR.test(line);
    if (isError) errorAt = kept.length;
    if (depth > 0 && !isError) {
      const input = INPUT.exec(line)?.[1];
      if (input !== undefined && errorAt >= 0) kept[errorAt] += ` (input: ${input})`;
      if (CLOSING.test(line)) depth -= 1;
      else if (/[{[]$/.test(line)) depth += 1;
      if (CLOSING.test(line) || PROPERTY.test(line)) continue;
    } else if (/[{[]$/.test(line)) depth += 1;
    kept.push(line);
  }
  return kept;
}

/** `file:12` or `file:12:3` on a separate line. Node prints the location of an error in this format, with the source below it. */
const PLACE = /^(?:file:\/\/|node:|\/|[A-Za-z]:[\\/]|\[?eval\]?|internal\/).*:\d+(?::\d+)?$/;
const CARETS = /^[\s|]*[\^~][\s^~]*$/;
/** Maximum lines between an error's location and the carets under its source code. Parsers write one or two more than others. */
const LONGEST_ECHO = 6;

const PYTHON_FRAME = /^(\s*)File "[^"]*", line \d+/;

/** Removes the source code that runtimes print with an error, because "throw new Error" in it is not a message. */
function withoutEchoedSource(lines: readonly string[]): readonly string[] {
  return withoutPythonFrames(withoutNodePlaces(lines));
}

function withoutNodePlaces(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (!PLACE.test(line)) kept.push(line);
    else {
      const echo = lines.slice(index + 1, index + 1 + LONGEST_ECHO).findIndex((next) => CARETS.test(next));
      index += echo + 1;
    }
  }
  return kept;
}

/** Removes each frame of a Python traceback with the lines that are indented deeper: source code, carets, notes. */
function withoutPythonFrames(lines: readonly string[]): readonly string[] {
  let frameIndent: number | undefined;
  return lines.filter((line) => {
    const frame = PYTHON_FRAME.exec(line);
    if (frame) {
      frameIndent = frame[1]!.length;
      return false;
    }
    if (frameIndent === undefined) return true;
    if (line.search(/\S/) > frameIndent) return false;
    frameIndent = undefined;
    return true;
  });
}
