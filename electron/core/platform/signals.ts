import { execFile } from 'node:child_process';
import { systemProgram } from './windows/system-program.ts';
import { errnoOf } from '../errno.ts';
import type { Clock } from '../clock.ts';
import { holdsWithin } from '../wait.ts';
import type { StopGraces } from './hosted-run.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';

export type StopSignal = 'SIGTERM' | 'SIGKILL';

/** Operations that end processes. Each resolves when the signal was sent or refused: to false when it reached no process. */
export interface Signaller {
  /** True on Windows, where every signal ends a process by force; users are informed of that. */
  readonly isAlwaysForced?: boolean;
  /** POSIX: the whole process group led by `pid`. Windows: the tree below `pid` (`taskkill /T /F`), whatever the signal. */
  signalGroup(pid: number, signal: StopSignal): Promise<boolean>;
  signalProcess(pid: number, signal: StopSignal): Promise<boolean>;
}

/** Exit code of taskkill for a missing process. Other codes may mean that a part of the tree was ended. */
const NOT_FOUND = 128;

const posixSignaller: Signaller = {
  signalGroup: (pid, signal) => trySignal(-pid, signal),
  signalProcess: (pid, signal) => trySignal(pid, signal),
};

const windowsSignaller: Signaller = {
  isAlwaysForced: true,
  signalGroup: taskkillTree,
  // Node calls TerminateProcess as taskkill does, but without starting a program.
  signalProcess: (pid) => trySignal(pid, 'SIGKILL'),
};

export function signallerForPlatform(platform: NodeJS.Platform): Signaller {
  return platform === 'win32' ? windowsSignaller : posixSignaller;
}

function trySignal(target: number, signal: StopSignal): Promise<boolean> {
  try {
    return Promise.resolve(process.kill(target, signal));
  } catch {
    // ESRCH: the process ended between lookup and signal, which is the goal. EPERM: the panel may not end it.
    return Promise.resolve(false);
  }
}

/** Ends the tree. If taskkill cannot be started (AppLocker, no memory), ends the process without its tree. */
function taskkillTree(pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const endAlone = () => resolve(trySignal(pid, 'SIGKILL'));
    try {
      const args = ['/T', '/F', '/PID', String(pid)];
      execFile(systemProgram('taskkill.exe'), args, { windowsHide: true }, (error) => {
        if (error === null) resolve(true);
        // Killing the one process also fails when it is already gone, so the caller checks the process table instead.
        else if (typeof error.code === 'number') resolve(error.code !== NOT_FOUND);
        else endAlone();
      });
    } catch {
      endAlone();
    }
  });
}

/** Reports whether any process has this pid now. Queries the kernel, which answers at once on every system. */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other error is a refusal: the process exists, and belongs to another user.
    return errnoOf(error) !== 'ESRCH';
  }
}

interface EndProcessDeps {
  readonly table: Pick<ProcessTable, 'identify' | 'identifySync'>;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
  readonly clock: Clock;
}

const POLL_MS = 20;

/**
 * Ends one process and none of its children: SIGTERM, then SIGKILL. Compares the start time before each signal, because the
 * kernel reuses the pid of an ended process. @returns whether the process is gone; true also when it was gone before the call
 */
export async function endProcess(
  { table, signaller, clock }: EndProcessDeps,
  { pid, startTime }: ProcessIdentity,
  { stopGraceMs, killGraceMs }: StopGraces,
): Promise<boolean> {
  const isGone = async () => {
    const found = table.identifySync ? table.identifySync(pid) : await table.identify(pid);
    return found?.startTime !== startTime;
  };
  const isEndedBy = async (signal: StopSignal, limitMs: number) => {
    if (await isGone()) return true;
    await signaller.signalProcess(pid, signal);
    return holdsWithin(clock, isGone, { limitMs, intervalMs: POLL_MS });
  };
  return (await isEndedBy('SIGTERM', stopGraceMs)) || (await isEndedBy('SIGKILL', killGraceMs));
}
