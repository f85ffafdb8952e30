import { PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import type { ShortWords } from '../../../../shared/error-data.ts';
import { shownTail } from '../../journal/output-log.ts';
import { aboutServer } from '../../phrases.ts';
import type { ExitStatus } from '../../platform/spawner.ts';
import { diagnose, type Diagnosis } from './diagnose.ts';
import { isFromOutside, signalOf } from './exit-signal.ts';
import type { Launch } from './launch.ts';
import type { DiagnosedRemedy } from './remedy.ts';
import { silentFailureOf } from './silent-runner.ts';

/** Facts about a run that ended by itself. */
export interface EndCause {
  readonly exit: ExitStatus;
  /** Whether the server was not up yet. */
  readonly isStarting: boolean;
  /** Last lines of stderr, up to 200. */
  readonly stderr: string;
  readonly launch: Launch;
}

/** Texts of the error for a run that ended: first why, then how. */
interface EndWords {
  readonly message: string;
  readonly remedy: string;
  readonly short: ShortWords;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the error of a process that ended by itself. `data` holds `exitCode`, `signal` (a wrapper's exit code counts as the
 * signal it stands for), `stderrTail`, and what stderr says of the cause: `cause` (one line), `causeLines` (that line and its
 * neighbours, up to 6), `fix` (a remedy, see `Fix`).
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
  const { exit, stderr, launch } = end;
  const signal = signalOf(exit, launch.command, launch.args);
  const data = { ...exit, ...(signal !== undefined && { signal }) };
  if (isFromOutside(signal)) return { ...endedFromOutside(end, signal!), data };
  const diagnosis = diagnose(stderr, Object.keys(launch.env));
  const told = { ...end, how: howItEnded(exit, signal) };
  const words = diagnosis ? withDiagnosis(told, diagnosis) : withoutWords(told);
  return { ...words, data: { ...data, ...words.data } };
}

interface ToldEnd extends EndCause {
  /** For example "exited with code 1". */
  readonly how: string;
}

function withDiagnosis({ how, isStarting }: ToldEnd, diagnosis: Diagnosis): EndWords {
  const { cause, isTelling, remedy } = diagnosis;
  const rest = { remedy: remedy?.words ?? READ_STDERR, data: causeData(diagnosis, remedy) };
  if (isTelling) {
    const message = `${cause} (${how}${isStarting ? ' before its handshake' : ''})`;
    return { message, short: { phrase: message, brief: cause }, ...rest };
  }
  const brief = `${how}${isStarting ? BEFORE_HANDSHAKE : ''}`;
  const lastWords = `Its last words: ${cause}`;
  return {
    message: `${aboutServer(brief)} ${lastWords}`,
    short: { phrase: `${brief}. ${lastWords}`, brief },
    ...rest,
  };
}

const BEFORE_HANDSHAKE = ' before its handshake was complete';

/** Returns the part of an error's `data` that comes from a diagnosis; also used for errors other than exits. */
export function causeData(
  { cause, lines }: Diagnosis,
  remedy: DiagnosedRemedy | undefined,
): Readonly<Record<string, unknown>> {
  return { cause, causeLines: lines, ...(remedy && { fix: remedy.fix }) };
}

export const READ_STDERR = 'Read what it wrote to stderr.';

function withoutWords({ how, exit, isStarting, launch }: ToldEnd): EndWords {
  const silent = isStarting && exit.exitCode !== 0 ? silentFailureOf(launch) : undefined;
  if (silent) {
    const { headline, remedy } = silent;
    const message = `${headline} (${how})`;
    return {
      message,
      short: { phrase: message, brief: headline },
      remedy: remedy.words,
      data: { causeLines: [], fix: remedy.fix },
    };
  }
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
      ? "Look at the memory of this machine and into the system's log; nothing else ends a server like this but a person or a program."
      : 'A person or a program outside the panel ended it; find out which, or start it again.',
  };
}

function howItEnded({ exitCode }: ExitStatus, signal: string | undefined): string {
  return signal === undefined ? `exited with code ${exitCode}` : `was ended by ${signal}`;
}
