import { remedyFor, type DiagnosedRemedy } from './remedy.ts';
import { tellingLines, type StderrLine } from './stderr-lines.ts';
import { settingsAskedFor } from './named-settings.ts';

export interface Diagnosis {
  /** Line that states the cause, up to 240 characters. */
  readonly cause: string;
  /** The line of the cause and its neighbours in their original form, up to 6 lines. */
  readonly lines: readonly string[];
  /** True if the line looks like a cause. If false, it is just the last line written. */
  readonly isTelling: boolean;
  readonly remedy?: DiagnosedRemedy;
}

/** Maximum characters of stderr that are read: enough for a traceback or the help of a program. */
const MAX_CHARACTERS = 16 * 1024;
const LINES_BEFORE = 2;
const MAX_LINES = 6;

/** Texts written at a normal start or stop. A line with one is not taken as a cause, unless it also looks like an error. */
const GREETING =
  /\b(?:running|listening|started|starting|connected|ready|initiali[sz]ed|loaded|loading|serving|server on|shutting down|closed)\b/i;

/**
 * Searches the last 16 KiB of stderr for the reason why the program ended. Returns undefined if there is no usable line. @param
 * variables names of the environment variables that the server's configuration sets
 */
export function diagnose(stderrTail: string, variables: readonly string[] = []): Diagnosis | undefined {
  const lines = tellingLines(stderrTail.slice(-MAX_CHARACTERS));
  const found = findCause(lines);
  if (found === undefined) return undefined;
  const cause = headlineAt(lines, found.at);
  const isTelling = found.certainty >= certainty.hint || !GREETING.test(cause);
  const around = linesAround(lines, found.at);
  const told = around.filter((line) => !isRemark(line)).map(({ text }) => text);
  const remedy = isTelling ? remedyFor({ cause, lines: told, variables }) : undefined;
  return { cause, lines: around.map(({ shown }) => cut(shown)), isTelling, ...(remedy && { remedy }) };
}

function linesAround(lines: readonly StderrLine[], at: number): readonly StderrLine[] {
  const first = Math.max(0, Math.min(at - LINES_BEFORE, lines.length - MAX_LINES));
  return lines.slice(first, first + MAX_LINES);
}

/**
 * Ranks of lines by how certainly they state the cause; the line with the highest rank is chosen. Among lines of equal rank,
 * the last one is chosen; among lines that npm wrote, the first one.
 */
const certainty = { none: 0, aftermath: 1, hint: 2, error: 3, root: 4 } as const;

/** Lines that report a failure whose reason is in an earlier line. */
const AFTERMATH =
  /^(?:Error: )?Command failed\b|^command(?: failed|\s+(?:sh|\/|cmd))|^(?:path|cwd|code|errno|syscall|dest|lifecycle|location|workspace) \S|\bexited with (?:code|status)|\bELIFECYCLE\b|\bsubprocess-exited-with-error|metadata-generation-failed|^error: script ".*" exited|Lifecycle script|^\S*CalledProcessError|^\d+ \w+ errors?$|^Usage\b|\bnot be able to find a file|^(?:ExceptionGroup|BaseExceptionGroup)\b|sub-exceptions?\)$|^(?:Error: )?(?:Server|MCP)? ?(?:shutting down|closed|exiting)\b/i;

const REMARK =
  /^[[(<]?(?:warn(?:ing)?|info|debug|trace|notice|verbose|note|help|hint)\b|^\S+ (?:- )?(?:\S+ - )?\[?(?:WARN(?:ING)?|INFO|DEBUG)\]?\b|\b(?:Deprecation|Experimental|User|Future|Runtime|Import|Syntax)Warning:/i;

/** Matches an error that is reported as the cause of the error before it. The last such line is the root cause. */
const ROOT = /^\[(?:cause|error)\]: |^Caused by: |^ ---> |^---> /;

/** Errors in the formats that runtimes, tools and loggers use. */
const ERROR: readonly RegExp[] = [
  /^(?:Uncaught (?:\(in promise\) )?)?(?:[A-Za-z_][\w$]*\.)*[A-Z]?\w*(?:Error|Exception|Exit|Fault|Interrupt|Timeout)(?: \[[\w ]+\])?(?:: |$)/,
  /^\[?(?:fatal(?: error)?|error|critical|crit|panic|severe|uncaught|unhandled)\b\]?(?:[:!\]]| -|\[\w+\]:| in \w|\s+\S)/i,
  /^\S+ (?:- )?(?:\S+ - )?\[?(?:ERROR|FATAL|CRITICAL)\]?\b/,
  /^Exception in thread /,
  /^Unhandled exception\. /,
  /^thread '.*' (?:\(\d+\) )?panicked at/,
  /:in [`'].*: .+\(\w[\w:]*\)$/,
  /^\(node:\d+\) UnhandledPromiseRejection/,
  /^\[UnhandledPromiseRejection: /,
  /^(?:docker|podman|nerdctl): /,
  /^(?:[\w.@/\\-]+: )?(?:error|fatal): /,
  /^\s*(?:×|x) No solution found/,
  /^ERR_PNPM_/,
  /^An executable named `/,
  /^You must install(?: or update)? \.NET/,
];
/** First line of a failure that npm reports. */
const NPM_CAUSE =
  /^(?:404 )?Not Found - |could not determine executable|^request to .* failed|integrity checksum failed|^ENOSPC|^No matching version|root-owned|^(?:4\d\d )?(?:Forbidden|Unauthorized) - |^Missing script|^Invalid package name|^Unsupported URL Type|EACCES: |^unable to resolve dependency|^Not compatible with|^Could not read package\.json|^getaddrinfo /;

/** Messages about a command or file that does not exist, or may not be executed. */
const NOT_RUN =
  /(?:^|: )(?:\S+: )?(?:command )?not found(?:: \S+)?$|is not recognized as an internal or external command|: (?:No such file or directory|Permission denied|Exec format error)$/;

const HINT =
  /\b(?:cannot|can't|could not|couldn't|unable to|not able to|failed|failure|refused|denied|required|missing|invalid|unknown|unsupported|unauthori[sz]ed|forbidden|not (?:found|set|installed|available|supported|allowed|exist)|no such|does not exist|doesn't exist|is not|must|expected|expired|timed? ?out|unreachable|abort(?:ed|ing)|E[A-Z]{4,}|error)\b/i;

/** True if the line is a warning, progress or similar, which does not make a program end. */
const isRemark = ({ text }: StderrLine): boolean => REMARK.test(text);

function certaintyOf(line: StderrLine): number {
  const { text, isNpm } = line;
  if (isRemark(line)) return certainty.none;
  if (AFTERMATH.test(text)) return certainty.aftermath;
  if (ROOT.test(text)) return certainty.root;
  if (isNpm && NPM_CAUSE.test(text)) return certainty.root;
  if (ERROR.some((form) => form.test(text)) || NOT_RUN.test(text)) return certainty.error;
  if (settingsAskedFor(text).length > 0) return certainty.error;
  return HINT.test(text) ? certainty.hint : certainty.none;
}

/** Returns the index of the cause in `lines` and its rank; undefined if there are no lines. */
function findCause(
  lines: readonly StderrLine[],
): { readonly at: number; readonly certainty: number } | undefined {
  if (lines.length === 0) return undefined;
  const marks = lines.map(certaintyOf);
  const best = Math.max(...marks);
  if (best < certainty.hint) return { at: lastBlockAt(lines), certainty: best };
  const isNpm = lines[marks.lastIndexOf(best)]!.isNpm;
  const at = isNpm
    ? marks.findIndex((mark, index) => mark === best && lines[index]!.isNpm)
    : marks.lastIndexOf(best);
  return { at, certainty: best };
}

/** Maximum lines of a message. A longer block is a log, in which the last line is the newest. */
const LONGEST_MESSAGE = 6;

function lastBlockAt(lines: readonly StderrLine[]): number {
  const at = lines.findLastIndex(({ beginsBlock }) => beginsBlock);
  return lines.length - at > LONGEST_MESSAGE ? lines.length - 1 : Math.max(0, at);
}

/** Maximum characters of a cause, because rows and notifications show it. A longer one is truncated. */
const LONGEST_CAUSE = 240;

type Complete = (text: string, next: readonly string[]) => string | undefined;

/** Returns the cause as one line. Messages spread over several lines are joined. */
function headlineAt(lines: readonly StderrLine[], at: number): string {
  const { shown, text, isNpm } = lines[at]!;
  if (isNpm) return cut(shown);
  const next = lines.slice(at + 1).map((line) => line.text.trim());
  const message = withSubject(lines, at) ?? text.replace(/^(?:\[(?:cause|error)\]: |Caused by: |-+> )/, '');
  for (const complete of completions) {
    const whole = complete(message, next);
    if (whole !== undefined) return cut(whole);
  }
  return cut(message);
}

/** Matches errors that say nothing beyond the cause that follows them. */
const VAGUE = /\b(?:fetch failed|failed to fetch|request failed|network error|an error occurred|Error)$/i;

/**
 * Returns the first error of a chain followed by the innermost cause. Node, and tools in Rust, name the operation first and the
 * system's error last. In Java the first error says nearly the same as the innermost cause, and both together are too long.
 */
function withSubject(lines: readonly StderrLine[], at: number): string | undefined {
  const link = /^(?:\[cause\]|Caused by): /;
  const head = lines.slice(0, at).findLast(({ text }) => !link.test(text))?.text;
  const { text } = lines[at]!;
  if (head === undefined || !link.test(text) || VAGUE.test(head)) return undefined;
  const isChain = text.startsWith('[cause]') ? /^[\w.$]*Error\b.*: /.test(head) : head.startsWith('error: ');
  return isChain ? `${head}: ${text.replace(link, '').replace(/^Error: /, '')}` : undefined;
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_CAUSE ? line : `${line.slice(0, LONGEST_CAUSE - 1)}…`;
}

const completions: readonly Complete[] = [
  // Node: a promise rejected with a value that is not an error.
  (text) => /^\[?UnhandledPromiseRejection: .* with the reason "(.*)"\./.exec(text)?.[1],
  // Rust: location of the panic, and its reason on the next line.
  (text, [next]) => (/^thread '.*' .*panicked at [^']+:$/.test(text) && next ? `panic: ${next}` : undefined),
  // Ruby: location, reason and class of the error.
  (text) => /^\S+:\d+:in [`'][^`']*['`]: (.+ \(\w[\w:]*\))$/.exec(text)?.[1],
  // uv: a sentence that spans the following lines.
  (text, [next = '', ...rest]) =>
    /No solution found/.test(text)
      ? [
          text.replace(/^[×x] /, ''),
          next.replace(/^(?:╰─▶|`->) /, ''),
          ...untilSentenceEnds(next, rest),
        ].join(' ')
      : undefined,
  // pydantic: the field, and its problem.
  (text, [field = '', problem = '']) =>
    /\bvalidation errors? for \S+$/.test(text) && field !== ''
      ? `${text}: ${field}: ${problem.replace(/ \[type=.*$/, '')}`
      : undefined,
  // zod: the next lines contain a list of issues as JSON; earlier steps have removed the lines with only punctuation.
  (text, next) => (/^ZodError: ?\[?$/.test(text) ? `ZodError: ${zodIssue(next)}` : undefined),
  // anyhow, eyre: the innermost cause comes last.
  (text, [next, ...causes]) =>
    next === 'Caused by:' && causes.length > 0
      ? `${text}: ${causes.at(-1)!.replace(/^\d+: /, '')}`
      : undefined,
  (text, [next]) => (/[:—]$/.test(text) && next ? `${text} ${next.replace(/^[-*•] /, '')}` : undefined),
];

function untilSentenceEnds(first: string, rest: readonly string[]): readonly string[] {
  if (first.endsWith('.')) return [];
  const end = rest.findIndex((line) => line.endsWith('.'));
  return rest.slice(0, end + 1);
}

function zodIssue(lines: readonly string[]): string {
  const message = lines
    .map((line) => /^"message": "(.*)"/.exec(line)?.[1])
    .find((found) => found !== undefined);
  const path = lines.map((line) => /^"([^"]+)",?$/.exec(line)?.[1]).find((found) => found !== undefined);
  return [path, message].filter((part) => part !== undefined).join(': ') || 'a value is refused';
}
