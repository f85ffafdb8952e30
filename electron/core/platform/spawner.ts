import { spawn, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { PanelError } from '../../../shared/error-codes.ts';
import { asSentence } from '../phrases.ts';
import type { FoundProgram } from './program-search.ts';
import { requireFreeDescriptors } from './free-descriptors.ts';
import { withoutInheritance } from './inherited-descriptors.ts';
import type { ProcessJob } from './process-job.ts';
import { spawnError } from './spawn-error.ts';
import { windowsStart, type ProgramStart } from './windows/windows-start.ts';

export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** `cwd` is the person's home folder, for want of another. */
  readonly isHome?: boolean;
  /** The marker of the run, for a spawner that marks its children by more than their environment. */
  readonly marker?: string | undefined;
  /** Where `command` was found a moment ago, or why it was not; undefined where nobody has looked. */
  readonly found?: FoundProgram | undefined;
  /** The signal, once aborted, lets nothing be spawned any more; a child that is there stays. */
  readonly signal?: AbortSignal | undefined;
}

/** How a child ended. Exactly one of the two is set. */
export interface ExitStatus {
  readonly exitCode?: number;
  readonly signal?: string;
}

/** A child that runs. Whoever holds it reads both outputs until `exited`, or the child blocks on a full pipe. */
export interface SpawnedChild {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles on Node's `exit`, never `close`: a grandchild that holds the pipes must not hide the end. */
  readonly exited: Promise<ExitStatus>;
  /** Holds the child and what it starts; absent where the system has no such thing. Whoever ends the child closes it. */
  readonly job?: ProcessJob;
}

/**
 * Takes as long as the folder takes to be found: for ever on a network mount that is gone.
 * @throws PanelError COMMAND_NOT_FOUND, PERMISSION_DENIED, CWD_MISSING, CONFIG_INVALID or START_FAILED; `signal.reason` when aborted.
 */
export type Spawner = (request: SpawnRequest) => Promise<SpawnedChild>;

/** Three pipes and what Node needs for the moment of a spawn take ten. A spawn that fails halfway there leaks some in Node for good. */
const DESCRIPTORS_OF_A_SPAWN = 12;

/**
 * Spawns without a shell of the person's. POSIX: in a session and process group of its own, so that one signal reaches the
 * tree. Windows: no console window, and the file that was found by its full path, with whatever it takes to run it (`windowsStart`).
 */
export const spawnChild: Spawner = async (request) => {
  await checkFolder(request);
  const start = await startOf(request);
  request.signal?.throwIfAborted();
  const child = startChild(request, start);
  const exited = endOf(child);
  await spawned(child, request);
  return { pid: child.pid!, stdin: child.stdin!, stdout: child.stdout!, stderr: child.stderr!, exited };
};

/** POSIX looks for the command by rules that we know. Windows would look in the working folder first. */
async function startOf(request: SpawnRequest): Promise<ProgramStart> {
  if (process.platform === 'win32') return windowsStart(request);
  return { file: request.command, args: request.args };
}

/** Some failures are thrown at once, others are an 'error' of the child. */
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

/** Whatever a child tells once Node has waited for it tells its end: no 'exit' comes behind an 'error' that stands for it. */
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
    // This listener stays for the child's life, because a late 'error' (a failed kill) must never be an uncaught exception.
    child.on('error', (error) => reject(spawnError(error, request)));
  });
}

/** @throws PanelError CWD_MISSING */
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
