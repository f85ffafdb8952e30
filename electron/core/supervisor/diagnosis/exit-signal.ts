import { constants } from 'node:os';
import type { ExitStatus } from '../../platform/spawner.ts';
import { wrapperOfCommand } from '../../platform/wrapper-programs.ts';
import { packageRunOfCommand } from '../../../../shared/package-run.ts';

const BASE = 128;
/**
 * Signals of Linux by their numbers, from 1. They hold on Windows because what tells a signal there is a container or a shell
 * of POSIX; Node's own list for Windows lacks most of them, and has another number for SIGABRT.
 */
const OF_LINUX = [
  ...['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL'],
  ...['SIGUSR1', 'SIGSEGV', 'SIGUSR2', 'SIGPIPE', 'SIGALRM', 'SIGTERM'],
];

/**
 * The signal that ended a server, also one that a wrapper tells by its exit code: 128 and the number of the signal.
 * Undefined when no signal ended it.
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
  // Behind `cmd /c` there may be one that does.
  return packageRunOfCommand(command, args) !== undefined;
}

/** Signals that come from outside, whatever the server was doing. */
const FROM_OUTSIDE: ReadonlySet<string> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Whether what the server wrote last has nothing to do with its end. */
export const isFromOutside = (signal: string | undefined): boolean =>
  signal !== undefined && FROM_OUTSIDE.has(signal);
