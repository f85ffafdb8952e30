import { execFile } from 'node:child_process';
import { systemProgram } from './windows/system-program.ts';

export type StopSignal = 'SIGTERM' | 'SIGKILL';

/** The ways to end processes. Each resolves when the request was made: to false when it reached nobody. */
export interface Signaller {
  /** No signal asks here: each one ends a process by force, and is to be told so. Windows. */
  readonly isAlwaysForced?: boolean;
  /** POSIX: the whole process group led by `pid`. Windows: the tree below `pid` (`taskkill /T /F`), whatever the signal. */
  signalGroup(pid: number, signal: StopSignal): Promise<boolean>;
  signalProcess(pid: number, signal: StopSignal): Promise<boolean>;
}

/** The exit code of taskkill when there is no such process. Others may mean that a part of the tree was ended. */
const NOT_FOUND = 128;

const posixSignaller: Signaller = {
  signalGroup: (pid, signal) => trySignal(-pid, signal),
  signalProcess: (pid, signal) => trySignal(pid, signal),
};

const windowsSignaller: Signaller = {
  isAlwaysForced: true,
  signalGroup: taskkillTree,
  // Node ends a process by TerminateProcess, as taskkill does, but needs no program for it.
  signalProcess: (pid) => trySignal(pid, 'SIGKILL'),
};

export function signallerForPlatform(platform: NodeJS.Platform): Signaller {
  return platform === 'win32' ? windowsSignaller : posixSignaller;
}

function trySignal(target: number, signal: StopSignal): Promise<boolean> {
  try {
    return Promise.resolve(process.kill(target, signal));
  } catch {
    // ESRCH: it ended between the look and the signal, which is what we wanted. EPERM: not ours to end.
    return Promise.resolve(false);
  }
}

/** Where taskkill itself cannot be started (AppLocker, no memory), the process is ended without its tree. */
function taskkillTree(pid: number): Promise<boolean> {
  return new Promise((resolve) => {
    const endAlone = () => resolve(trySignal(pid, 'SIGKILL'));
    try {
      const args = ['/T', '/F', '/PID', String(pid)];
      execFile(systemProgram('taskkill.exe'), args, { windowsHide: true }, (error) => {
        if (error === null) resolve(true);
        // The signal fails when the process is gone already; the caller looks at the process table, not at this.
        else if (typeof error.code === 'number') resolve(error.code !== NOT_FOUND);
        else endAlone();
      });
    } catch {
      endAlone();
    }
  });
}
