import { constants } from 'node:os';
import type { ExitStatus } from '../../platform/spawner.ts';
import { wrapperOfCommand } from '../../platform/wrapper-programs.ts';
import { packageRunOfCommand } from '../../../../shared/package-run.ts';

const BASE = 128;
/**
 * Linux signals by number, from 1. They also hold on Windows, because there only a container or a POSIX shell reports a
 * signal; Node's list for Windows lacks most of them and has another number for SIGABRT.
 */
const OF_LINUX = [
  ...['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'],
  ...['SIGUSR1', 'SIGSEGV', 'SIGUSR2', 'SIGPIPE', 'SIGALRM', 'SIGTERM'],
];

/**
 * Returns the signal that ended a server, including one that a wrapper reports as exit code 128 plus its number. Undefined if
 * no signal ended it.
 */
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
  // A runner behind `cmd /c` may report signals.
  return packageRunOfCommand(command, args) !== undefined;
}

/** Signals sent from outside, unrelated to the server's work. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Whether the end came from outside, so that the last output does not explain it. */
export const isFromOutside = (signal: string | undefined): boolean =>
  signal !== undefined && FROM_OUTSIDE.has(signal);
