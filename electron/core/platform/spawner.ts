import type { ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import crossSpawn from 'cross-spawn';
import { PanelError } from '../../../shared/error-codes.ts';
import { requireFreeDescriptors } from './free-descriptors.ts';
import { withoutInheritance } from './inherited-descriptors.ts';

export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** Once it is aborted, nothing is spawned any more; a child that is there stays. */
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
}

/**
 * Takes as long as the folder takes to be found: for ever on a network mount that is gone.
 * @throws PanelError COMMAND_NOT_FOUND, PERMISSION_DENIED, CWD_MISSING or START_FAILED; `signal.reason` when aborted.
 */
export type Spawner = (request: SpawnRequest) => Promise<SpawnedChild>;

/** Three pipes and what Node needs for the moment of a spawn take ten. A spawn that fails halfway there leaks some in Node for good. */
const DESCRIPTORS_OF_A_SPAWN = 12;

/**
 * Spawns without a shell. POSIX: in a session and process group of its own, so that one signal reaches the tree.
 * Windows: no console window, `.cmd` files resolved and quoted by cross-spawn.
 */
export const spawnChild: Spawner = async (request) => {
  await checkFolder(request.cwd);
  request.signal?.throwIfAborted();
  reserveDescriptors(request);
  const child = withoutInheritance(process.platform, (stdio) =>
    crossSpawn(request.command, [...request.args], {
      env: { ...request.env },
      cwd: request.cwd,
      stdio,
      detached: process.platform !== 'win32',
      windowsHide: true,
    }),
  );
  const exited = new Promise<ExitStatus>((resolve) =>
    child.once('exit', (code, signal) => resolve(exitStatus(code, signal))),
  );
  await spawned(child, request);
  return { pid: child.pid!, stdin: child.stdin!, stdout: child.stdout!, stderr: child.stderr!, exited };
};

function exitStatus(code: number | null, signal: string | null): ExitStatus {
  return signal === null ? { exitCode: code ?? 0 } : { signal };
}

function spawned(child: ChildProcess, request: SpawnRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    // Stays on for the child's life: a late 'error' (a failed kill) must never be an uncaught exception.
    child.on('error', (error) => reject(spawnError(error, request)));
  });
}

function reserveDescriptors(request: SpawnRequest): void {
  try {
    requireFreeDescriptors(DESCRIPTORS_OF_A_SPAWN);
  } catch (error) {
    throw error instanceof Error ? spawnError(error, request) : error;
  }
}

async function checkFolder(cwd: string | undefined): Promise<void> {
  if (cwd === undefined) return;
  const remedy = 'Create the folder, or correct "cwd" in the configuration.';
  const found = await stat(cwd).catch(() => undefined);
  if (found === undefined)
    throw new PanelError('CWD_MISSING', `The working folder ${cwd} does not exist.`, { remedy });
  if (!found.isDirectory())
    throw new PanelError('CWD_MISSING', `The working folder ${cwd} is not a folder.`, { remedy });
}

/** @param path the PATH that was searched */
export function commandNotFound(command: string, path: string, cause?: unknown): PanelError {
  return new PanelError(
    'COMMAND_NOT_FOUND',
    `The command "${command}" was not found. PATH tried: ${path || '(empty)'}`,
    {
      remedy: `Install "${command}", or give its full path as "command".`,
      data: { command, path },
      cause,
    },
  );
}

function spawnError(error: Error & { code?: string }, request: SpawnRequest): PanelError {
  const name = `"${request.command}"`;
  const path = request.env['PATH'] ?? request.env['Path'] ?? '';
  switch (error.code) {
    case 'ENOENT':
      return commandNotFound(request.command, path, error);
    case 'EACCES':
    case 'EPERM':
      return new PanelError('PERMISSION_DENIED', `The command ${name} may not be executed by this user.`, {
        remedy: `Make ${name} an executable file, and its folder accessible.`,
        cause: error,
      });
    default:
      return new PanelError('START_FAILED', `The command ${name} could not be started: ${error.message}.`, {
        cause: error,
      });
  }
}
