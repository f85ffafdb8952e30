import { utilityProcess } from 'electron';
import type { HelperProcess } from '../../core/platform/helper-process.ts';

/** Starts a file of ours in a process of Electron, because a package does not run as Node; its output is dropped. */
export function forkUtility(file: string): HelperProcess {
  const child = utilityProcess.fork(file, [], { stdio: 'ignore', serviceName: 'Keyring' });
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    // A message to end is not read by a process whose thread is blocked.
    if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
  };
  // Before that it has no pid.
  child.once('spawn', () => {
    if (isKilled) kill();
  });
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void child.once('exit', (code) => listener(`its helper ended (${code})`)),
    kill,
  };
}
