import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { PanelError } from '../../../shared/error-codes.ts';
import type { RunOn } from '../../../shared/panel-settings.ts';
import { asSentence } from '../phrases.ts';
import type { FoundProgram } from './program-search.ts';
import { withoutInheritance } from './inherited-descriptors.ts';
import type { Caps, ProcessJob } from './process-job.ts';
import { spawnError } from './spawn-error.ts';
import { windowsStart, type ProgramStart } from './windows/windows-start.ts';
import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

export interface SpawnRequest {
  /**
   * The other container engine or cluster on which the command runs (`runOn` in the configuration). In this case, the command
   * is a `docker run` line.
   */
  readonly runOn?: RunOn | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** True if `cwd` is the user's home folder because the entry specifies no folder. */
  readonly isHome?: boolean;
  /** Marker of the run (a random value), for spawners that also mark children by other means than their environment. */
  readonly marker?: string | undefined;
  readonly caps?: Caps | undefined;
  /** Result of an earlier search for `command`; undefined if none was made. */
  readonly found?: FoundProgram | undefined;
  /** If it aborts before the spawn, no child is spawned. It does not end a child that already runs. */
  readonly signal?: AbortSignal | undefined;
}

/** How a child ended. Exactly one of `exitCode` and `signal` is set. */
export interface ExitStatus {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A running child. The owner reads stdout and stderr until `exited`, because the child blocks on a full pipe. */
export interface SpawnedChild {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Settles when the child has exited (Node's `exit`). Node's `close` would come later if a grandchild keeps the child's pipes
   * open.
   */
  readonly exited: Promise<ExitStatus>;
  /**
   * Job (a Windows job object) that contains the child and its descendants; absent on systems without jobs. The owner closes
   * the job after the child has ended.
   */
  readonly job?: ProcessJob;
}

/**
 * Spawns a child. First checks its working folder, which may take forever on a lost network mount.
 * @throws PanelError COMMAND_NOT_FOUND, PERMISSION_DENIED, CWD_MISSING, CONFIG_INVALID or START_FAILED; `signal.reason` when
 * aborted.
 */
export type Spawner = (request: SpawnRequest) => Promise<SpawnedChild>;

/**
 * Number of free file descriptors that a spawn requires. If a spawn runs out of descriptors halfway, it leaks some of them
 * permanently.
 */
const DESCRIPTORS_OF_A_SPAWN = 12;

/**
 * Spawns a child without a shell. On POSIX, the child gets its own process session and group, so that one signal reaches the
 * whole group. On Windows, it gets no console window, and is started from the full path of the file that was found, with the
 * interpreter that this file needs (`windowsStart`).
 */
export const spawnChild: Spawner = async (request) => {
  await checkFolder(request);
  // On POSIX, the system itself searches the program in the PATH. Windows would search the working folder first, so there the
  // full path is passed.
  const start =
    process.platform === 'win32'
      ? await windowsStart(request)
      : { file: request.command, args: request.args };
  request.signal?.throwIfAborted();
  const child = startChild(request, start);
  const exited = endOf(child);
  await spawned(child, request);
  return { pid: child.pid!, stdin: child.stdin!, stdout: child.stdout!, stderr: child.stderr!, exited };
};

/** Starts the child. Some failures are thrown immediately, others arrive as its 'error' event. */
function startChild(request: SpawnRequest, { file, args, isQuoted = false }: ProgramStart): ChildProcess {
  try {
    requireFreeDescriptors(DESCRIPTORS_OF_A_SPAWN);
    return withoutInheritance(process.platform, (stdio) =>
      spawn(file, [...args], {
        env: { ...request.env },
        cwd: request.cwd,
        stdio,
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: isQuoted,
      }),
    );
  } catch (error) {
    throw error instanceof Error ? spawnError(error, request) : error;
  }
}

/**
 * Resolves when Node has collected the child's exit status. Usually 'exit' reports it. If an 'error' comes instead of 'exit',
 * the status is read from the child.
 */
function endOf(child: ChildProcess): Promise<ExitStatus> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve(exitStatus(code, signal)));
    child.on('error', () => {
      const { exitCode, signalCode } = child;
      if (exitCode !== null || signalCode !== null) resolve(exitStatus(exitCode, signalCode));
    });
  });
}

function exitStatus(code: number | null, signal: string | null): ExitStatus {
  return signal === null ? { exitCode: code ?? 0 } : { signal };
}

function spawned(child: ChildProcess, request: SpawnRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    // The listener stays registered as long as the child lives, because a late 'error' event (a failed kill) without a listener
    // would become an uncaught exception.
    child.on('error', (error) => reject(spawnError(error, request)));
  });
}

/** Checks the working folder of a spawn. @throws PanelError CWD_MISSING */
export async function checkFolder({ cwd, isHome = false }: SpawnRequest): Promise<void> {
  if (cwd === undefined) return;
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const problem = found === undefined ? 'does not exist' : 'is not a folder';
  const [what, remedy] = isHome
    ? ([
        'home folder',
        'Create it, or give the server a "cwd": without one it starts in the home folder.',
      ] as const)
    : (['working folder', 'Create the folder, or correct "cwd" in the configuration.'] as const);
  const phrase = `the ${what} ${cwd} ${problem}`;
  throw new PanelError('CWD_MISSING', asSentence(phrase), {
    remedy,
    data: { wrong: cwd },
    short: { phrase },
  });
}

/** @throws the system's error (EMFILE, ENFILE) if `count` more descriptors cannot be opened */
function requireFreeDescriptors(count: number): void {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
