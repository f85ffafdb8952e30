import { execFile } from 'node:child_process';
import { systemProgram } from './windows/system-program.ts';
import { errnoOf } from '../errno.ts';
import type { Clock } from '../clock.ts';
import { holdsWithin } from '../wait.ts';
import type { StopGraces } from './hosted-run.ts';
import type { ProcessIdentity, ProcessTable } from './process-table.ts';

export type StopSignal = 'SIGTERM' | 'SIGKILL';

/**
 * Sends signals that end processes. Each method resolves when the signal was sent or refused; to false if the signal reached no
 * process.
 */
export interface Signaller {
  /** True on Windows, where every signal kills the process, without a chance to finish its work. The panel tells users so. */
  readonly isAlwaysForced?: boolean;
  /**
   * On POSIX, sends the signal to the process group that `pid` leads. On Windows, kills the process tree below `pid` (`taskkill
   * /T /F`), whatever the signal.
   */
  signalGroup(pid: number, signal: StopSignal): Promise<boolean>;
  signalProcess(pid: number, signal: StopSignal): Promise<boolean>;
}

/**
 * Exit code of taskkill if there is no process with the pid. Other error codes may mean that only a part of the process tree
 * was ended.
 */
const NOT_FOUND = 128;

const posixSignaller: Signaller = {
  signalGroup: (pid, signal) => trySignal(-pid, signal),
  signalProcess: (pid, signal) => trySignal(pid, signal),
};

const windowsSignaller: Signaller = {
  isAlwaysForced: true,
  signalGroup: taskkillTree,
  // On Windows, Node's `process.kill` calls TerminateProcess, as taskkill does, but without starting a program.
  signalProcess: (pid) => trySignal(pid, 'SIGKILL'),
};

export function signallerForPlatform(platform: NodeJS.Platform): Signaller {
  return platform === 'win32' ? windowsSignaller : posixSignaller;
}

function trySignal(target: number, signal: StopSignal): Promise<boolean> {
  try {
    return Promise.resolve(process.kill(target, signal));
  } catch {
    // ESRCH: the process ended between lookup and signal, which is the desired result. EPERM: the panel may not end it.
    return Promise.resolve(false);
  }
}

/** Ends the process tree with taskkill. If taskkill cannot be started (AppLocker, no memory), ends only the process itself. */
function taskkillTree(pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const endAlone = () => resolve(trySignal(pid, 'SIGKILL'));
    try {
      const args = ['/T', '/F', '/PID', String(pid)];
      execFile(systemProgram('taskkill.exe'), args, { windowsHide: true }, (error) => {
        if (error === null) resolve(true);
        // taskkill ran and failed. The caller checks the process table for what is left; killing only `pid` would reveal no
        // more, since that also fails if the process is gone.
        else if (typeof error.code === 'number') resolve(error.code !== NOT_FOUND);
        else endAlone();
      });
    } catch {
      endAlone();
    }
  });
}

/** Returns whether any process has this pid now. Queries the kernel, which answers immediately on every system. */
export function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any error other than ESRCH means that the process exists but belongs to another user.
    return errnoOf(error) !== 'ESRCH';
  }
}

export interface EndProcessDeps {
  readonly table: Pick<ProcessTable, 'identify' | 'identifySync'>;
  readonly signaller: Pick<Signaller, 'signalProcess'>;
  readonly clock: Clock;
}

const POLL_MS = 20;

/**
 * Ends the given processes, but not their children: SIGTERM, then SIGKILL. Before each signal, the start time is compared,
 * because the kernel reuses the pid of an ended process. @param findMore called with the processes that SIGTERM has not ended;
 * returns the processes that they have started in the meantime, which then also get SIGKILL @returns the processes that are
 * still alive
 */
export async function endProcesses<T extends ProcessIdentity>(
  { table, signaller, clock }: EndProcessDeps,
  processes: readonly T[],
  { stopGraceMs, killGraceMs }: StopGraces,
  findMore: (stubborn: readonly T[]) => Promise<readonly T[]> = () => Promise.resolve([]),
): Promise<readonly T[]> {
  let all = processes;
  const lives = async ({ pid, startTime }: ProcessIdentity) => {
    const found = table.identifySync ? table.identifySync(pid) : await table.identify(pid);
    return found?.startTime === startTime;
  };
  const living = async () => {
    const found = await Promise.all(all.map(lives));
    return all.filter((_, index) => found[index]);
  };
  const areEndedBy = async (signal: StopSignal, limitMs: number) => {
    for (const one of all) if (await lives(one)) await signaller.signalProcess(one.pid, signal);
    const areGone = async () => (await living()).length === 0;
    return holdsWithin(clock, areGone, { limitMs, intervalMs: POLL_MS });
  };
  if (await areEndedBy('SIGTERM', stopGraceMs)) return [];
  const stubborn = await living();
  const more = await findMore(stubborn);
  all = [...stubborn, ...more.filter(({ pid }) => stubborn.every((one) => one.pid !== pid))];
  return (await areEndedBy('SIGKILL', killGraceMs)) ? [] : living();
}
