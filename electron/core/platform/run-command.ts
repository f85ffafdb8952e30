import { execFile } from 'node:child_process';

/** Error of a program that could not start, failed, or took too long. */
export class CommandError extends Error {
  /** The program's exit code; undefined unless it ran to its end and failed. */
  readonly exitCode: number | undefined;

  constructor(
    message: string,
    options: { readonly exitCode?: number | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.exitCode = options.exitCode;
  }
}

interface CommandEnvironment {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  /** Milliseconds after which the program is ended by SIGKILL. Default: 10 s. */
  readonly timeoutMs?: number;
}

/** Runs a program to its end and returns its stdout. @throws CommandError */
export type RunCommand = (
  command: string,
  args: readonly string[],
  surroundings?: CommandEnvironment,
) => Promise<string>;

/**
 * Default timeout in ms. A listing of processes takes tens of milliseconds. If the system is too busy to finish it within the
 * timeout, another attempt would not help.
 */
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/** Runs a program with `LC_ALL=C`, because the parsers of its output expect that locale's month names and decimal points. */
export const runCommand: RunCommand = (command, args, { env, cwd, timeoutMs } = {}) =>
  new Promise((resolve, reject) => {
    const options = {
      env: { ...(env ?? process.env), LC_ALL: 'C' },
      cwd,
      timeout: timeoutMs ?? TIMEOUT_MS,
      // On SIGTERM, the client program of a container engine may only forward the signal, and keep running.
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT_BYTES,
      windowsHide: true,
    } as const;
    execFile(command, [...args], options, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const exitCode = typeof error.code === 'number' ? error.code : undefined;
      reject(new CommandError(`${command} failed: ${error.message}`, { exitCode, cause: error }));
    });
  });
