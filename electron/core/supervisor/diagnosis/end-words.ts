import { PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import type { ShortWords } from '../../../../shared/error-data.ts';
import { shownTail } from '../../journal/output-log.ts';
import { aboutServer } from '../../phrases.ts';
import type { HostedEnd } from '../../platform/hosted-run.ts';
import type { ExitStatus } from '../../platform/spawner.ts';
import { containerFailureOf, type KnownFailure, type Launch } from './container-failure.ts';
import { diagnose, type Diagnosis } from './diagnose.ts';
import type { DiagnosedRemedy } from './remedy.ts';
import { constants } from 'node:os';
import { wrapperOfCommand } from '../../platform/wrapper-programs.ts';
import { packageRunOfCommand } from '../../../../shared/package-run.ts';
import { ownValue } from '../../../../shared/own-value.ts';

export interface EndCause {
  readonly exit: HostedEnd;
  readonly isStarting: boolean;
  /** Last lines of stderr, up to 200. */
  readonly stderr: string;
  readonly launch: Launch;
}

/** Texts of the error for a run that ended: first the reason, then how it ended. */
interface EndWords {
  readonly message: string;
  readonly remedy: string;
  readonly short: ShortWords;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the error of a process that ended unexpectedly. Its `data` contains `exitCode`, `signal` (a wrapper's exit code
 * counts as the signal that it represents), `stderrTail`, and information from stderr about the cause: `cause` (one line),
 * `causeLines` (that line and its neighbours, up to 6 lines), `fix` (a remedy, see `Fix`).
 */
export function endError(code: ErrorCode, end: EndCause): PanelError {
  const { message, remedy, short, data } = wordsOf(end);
  return new PanelError(code, message, {
    data: { stderrTail: shownTail(end.stderr), ...data },
    remedy,
    short,
  });
}

function wordsOf(end: EndCause): EndWords {
  const { stderr, launch } = end;
  const { exitCode } = end.exit;
  const signal = signalOf(end.exit, launch.command, launch.args);
  const { isEngineLost } = end.exit;
  const data = {
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(isEngineLost && { isEngineLost }),
  };
  const diagnosis = diagnose(stderr, Object.keys(launch.env));
  const told = { ...end, how: howItEnded(end.exit, signal) };
  const failure = containerFailureOf(end.exit, launch, stderr, diagnosis?.cause);
  if (failure === undefined && isFromOutside(signal)) return { ...endedFromOutside(end, signal!), data };
  const words = failure ? withFailure(told, failure, diagnosis?.lines) : wordsByOutput(told, diagnosis);
  return { ...words, data: { ...data, ...words.data } };
}

interface ToldEnd extends EndCause {
  /** How the process ended, for example "exited with code 1". */
  readonly how: string;
}

const wordsByOutput = (told: ToldEnd, diagnosis: Diagnosis | undefined): EndWords =>
  diagnosis ? withDiagnosis(told, diagnosis) : withoutWords(told);

/** Returns the texts for a failure whose reason is known, so that the output is not needed to explain it. */
function withFailure(
  { how, exit: { exitCode, signal } }: ToldEnd,
  { headline, remedy }: KnownFailure,
  causeLines: readonly string[] = [],
): EndWords {
  // A process that was never started has neither an exit code nor a signal.
  const hasEnded = exitCode !== undefined || signal !== undefined;
  const message = hasEnded ? `${headline} (${how})` : headline;
  return {
    message,
    short: { phrase: message, brief: headline },
    remedy: remedy.words,
    data: { causeLines, ...(remedy.fix && { fix: remedy.fix }) },
  };
}

function withDiagnosis({ how, isStarting }: ToldEnd, diagnosis: Diagnosis): EndWords {
  const { cause, isTelling, remedy } = diagnosis;
  const rest = { remedy: remedy?.words ?? READ_STDERR, data: causeData(diagnosis, remedy) };
  if (isTelling) {
    const message = `${cause} (${how}${isStarting ? ' before its handshake' : ''})`;
    return { message, short: { phrase: message, brief: cause }, ...rest };
  }
  const brief = `${how}${isStarting ? BEFORE_HANDSHAKE : ''}`;
  const lastWords = `Its last output: ${cause}`;
  return {
    message: `${aboutServer(brief)} ${lastWords}`,
    short: { phrase: `${brief}. ${lastWords}`, brief },
    ...rest,
  };
}

const BEFORE_HANDSHAKE = ' before its handshake was complete';

/** Returns the part of an error's `data` that comes from a diagnosis. Also used for errors other than exits. */
export function causeData(
  { cause, lines }: Diagnosis,
  remedy: DiagnosedRemedy | undefined,
): Readonly<Record<string, unknown>> {
  return { cause, causeLines: lines, ...(remedy && { fix: remedy.fix }) };
}

export const READ_STDERR = 'Read what it wrote to stderr.';

function withoutWords(told: ToldEnd): EndWords {
  const { how, exit, isStarting, launch } = told;
  const silent = isStarting && exit.exitCode !== 0 ? silentFailureOf(launch) : undefined;
  if (silent) return withFailure(told, silent);
  const phrase = `${how}${isStarting ? BEFORE_HANDSHAKE : ''}`;
  return {
    message: aboutServer(phrase),
    short: { phrase },
    remedy: silentRemedy(exit, isStarting),
    data: { causeLines: [] },
  };
}

function silentRemedy({ exitCode }: ExitStatus, isStarting: boolean): string {
  if (isStarting && exitCode === 0)
    return 'It ended without an error: check that its command starts an MCP server that speaks over stdio, and its arguments.';
  return 'It wrote nothing to stderr; run its command in a terminal to see why.';
}

function endedFromOutside({ isStarting }: EndCause, signal: string): Omit<EndWords, 'data'> {
  const how = `was ended by ${signal}${isStarting ? BEFORE_HANDSHAKE : ''}`;
  const isKill = signal === 'SIGKILL';
  const phrase = isKill ? `${how}; perhaps the system ran out of memory` : how;
  return {
    message: aboutServer(phrase),
    short: { phrase },
    remedy: isKill
      ? "Check the memory of this machine and the system's log; otherwise a user or a program ended it."
      : 'A user or a program outside the panel ended it; find out which, or start it again.',
  };
}

function howItEnded({ exitCode }: ExitStatus, signal: string | undefined): string {
  return signal === undefined ? `exited with code ${exitCode}` : `was ended by ${signal}`;
}

const BASE = 128;
/**
 * Linux signals by number, from 1. They also apply on Windows, because there only a container or a POSIX shell reports a
 * signal. Node's list for Windows lacks most of them and has another number for SIGABRT.
 */
const OF_LINUX = [
  ...['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'],
  ...['SIGUSR1', 'SIGSEGV', 'SIGUSR2', 'SIGPIPE', 'SIGALRM', 'SIGTERM'],
];

/** Returns the signal that ended a server, including one from a wrapper's exit code of 128 plus the number of the signal. */
export function signalOf(
  exit: ExitStatus,
  command: string,
  args: readonly string[],
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  if (exit.signal !== undefined) return exit.signal;
  const { exitCode = 0 } = exit;
  if (exitCode <= BASE || !tellsSignals(command, args)) return undefined;
  const number = exitCode - BASE;
  if (platform === 'win32') return OF_LINUX[number - 1];
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}

function tellsSignals(command: string, args: readonly string[]): boolean {
  if (wrapperOfCommand(command)?.tellsSignals || /\.(?:sh|bash)$/i.test(command)) return true;
  // A package runner such as npx may run the server through a shell, which reports signals in this way.
  return packageRunOfCommand(command, args) !== undefined;
}

/** Signals sent from outside, unrelated to the server's work. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** True if the end was caused from outside, so that the last output does not explain it. */
const isFromOutside = (signal: string | undefined): boolean =>
  signal !== undefined && FROM_OUTSIDE.has(signal);

/** Returns the failure of a package runner that ended without output, because npm prints nothing when an install script fails. */
function silentFailureOf(launch: Launch): KnownFailure | undefined {
  const run = packageRunOfCommand(launch.command, launch.args);
  if (run === undefined) return undefined;
  const what = run.packages.join(', ') || 'its package';
  const headline = `${run.runner} could not install ${what}, or it ended immediately, without output`;
  if (!/^(?:npx|npm )/.test(run.runner)) {
    const words = `Run its command in a terminal to see why, or install ${what} by hand.`;
    return { headline, remedy: { words, fix: { kind: 'check-package', ...packageOf(run.packages) } } };
  }
  const folder = npmLogFolder(launch.environment);
  return {
    headline,
    remedy: { words: `See the newest file in ${folder}.`, fix: { kind: 'read-log', folder } },
  };
}

const packageOf = ([first]: readonly string[]) => (first === undefined ? {} : { package: first });

/** Returns npm's log folder according to npm's variables in the environment, or npm's default; `.npmrc` is not read. */
function npmLogFolder(environment: Launch['environment']): string {
  const setting = (name: string) =>
    ownValue(environment, name) ??
    ownValue(environment, name.toUpperCase()) ??
    ownValue(environment, name.replaceAll('_', '-'));
  const logs = setting('npm_config_logs_dir');
  if (logs) return logs;
  const cache = setting('npm_config_cache');
  if (cache) return `${cache.replace(/[\\/]$/, '')}/_logs`;
  const localAppData = environment['LOCALAPPDATA'] ?? environment['LocalAppData'];
  return localAppData ? String.raw`${localAppData}\npm-cache\_logs` : '~/.npm/_logs';
}
